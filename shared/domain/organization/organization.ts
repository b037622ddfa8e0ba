import { systemGroups } from '#shared/domain/groups/group-setting.ts';
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
  /** The newest positions of the log at which guests came to see everybody, or only some again. */
  sightTurns?: number[];
  /** Counts the changes of name, description, settings and groups; what changes them names the one it saw. */
  revision: number;
}

const MAX_SIGHT_TURNS = 20;

/** The turns of what guests see with one more, at a position. */
export const sightTurnsWith = ({ sightTurns = [] }: Organization, position: number): number[] => [
  ...sightTurns.slice(1 - MAX_SIGHT_TURNS),
  position,
];

/** Who may do what after everything up to a position, as far as it decides who sees everybody: there are two values. */
export function sightGroupsAt(
  { groups, sightTurns = [] }: Organization,
  position: number,
): OrganizationGroups {
  const turnsSince = sightTurns.filter((turn) => turn > position).length;
  if (turnsSince % 2 === 0) return groups;
  const now = groups.can_access_all_users_group;
  const was = now === systemGroups.everyone ? systemGroups.members : systemGroups.everyone;
  return { ...groups, can_access_all_users_group: was };
}

/** The domain of the addresses that the service makes up: those of bots, and those that stand for hidden ones. */
export const mailDomainOf = ({ url }: Pick<Organization, 'url'>): string => new URL(url).hostname;
