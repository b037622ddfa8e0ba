/** The one organization of a deployment. */
export interface Organization {
  name: string;
  description: string;
  /** The root address of the service without a slash at its end, as clients know it. */
  url: string;
  createdAtSeconds: number;
  uuid: string;
  ownerId: number;
  notificationBotId: number;
  welcomeBotId: number;
  /** Ids of the channels that new accounts are subscribed to. */
  defaultChannels?: Set<number>;
  /** Where new channels are announced. */
  announcementChannelId: number | null;
}

export const hostOf = (organization: Organization): string => new URL(organization.url).host;
