import type { SharedSettings } from '#shared/domain/settings/user-settings.ts';
import type { OrganizationGroups, OrganizationSettings } from './settings.ts';

/** The pictures that an organization may have, by what the protocol calls them. */
export type OrganizationPicture = 'icon' | 'logo' | 'night_logo';

/** The one organization of a deployment. */
export interface Organization {
  name: string;
  /** Markdown source. */
  description: string;
  /** Absent while there is no description. */
  descriptionHtml?: string;
  /** The root address of the service without a slash at its end, as clients know it. */
  url: string;
  createdAtSeconds: number;
  uuid: string;
  ownerId: number;
  notificationBotId: number;
  welcomeBotId: number;
  /** Ids of the channels that new accounts are subscribed to. */
  defaultChannels?: Set<number>;
  /** Counts their changes; what changes them names the one it saw. */
  defaultChannelsRevision?: number;
  /** Domains with whose addresses people may join, and whether their subdomains count as well. */
  domains?: Record<string, boolean>;
  settings: OrganizationSettings;
  /** The settings of new users that somebody chose for them. */
  userDefaults?: Partial<SharedSettings>;
  /** Names of the pictures that somebody uploaded. */
  pictures?: Partial<Record<OrganizationPicture, string>>;
  /** Who may do what. */
  groups: OrganizationGroups;
  /** Counts the changes of name, description, settings and groups; what changes them names the one it saw. */
  revision: number;
}

/** The domain of the addresses that the service makes up: those of bots, and those that stand for hidden ones. */
export const mailDomainOf = ({ url }: Pick<Organization, 'url'>): string => new URL(url).hostname;
