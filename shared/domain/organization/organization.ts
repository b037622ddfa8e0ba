import type { SharedSettings } from '#shared/domain/settings/user-settings.ts';
import { systemGroups } from '#shared/domain/user-groups/group-setting.ts';
import type { OrganizationGroups, OrganizationSettings } from './settings.ts';

/** The pictures of an organization, by their protocol names. */
export type OrganizationPicture = 'icon' | 'logo' | 'night_logo';

/** The one organization of a deployment. */
export interface Organization {
  name: string;
  /** Markdown source. */
  description: string;
  /** Absent without a description. */
  descriptionHtml?: string;
  /** The root address of the service as clients know it, without a trailing slash. */
  url: string;
  createdAtSeconds: number;
  uuid: string;
  ownerId: number;
  notificationBotId: number;
  welcomeBotId: number;
  /** Ids of the channels that new accounts are subscribed to. */
  defaultChannels?: Set<number>;
  /** Counts changes of the default channels; a change is conditional on the revision that it read. */
  defaultChannelsRevision?: number;
  /** E-mail domains that may join, and whether subdomains are included. */
  domains?: Record<string, boolean>;
  settings: OrganizationSettings;
  /** Settings preset for new users. */
  userDefaults?: Partial<SharedSettings>;
  /** Names of uploaded pictures. */
  pictures?: Partial<Record<OrganizationPicture, string>>;
  /** The permission settings. */
  groups: OrganizationGroups;
  /** The level of the newest posted update; absent in organizations older than updates. */
  updatesLevel?: number;
  /** The newest log positions at which guests gained or lost the right to see all users. */
  sightTurns?: number[];
  /**
   * Counts changes of name, description, settings and groups; a change is conditional on the revision that it
   * read.
   */
  revision: number;
}

const MAX_VISIBILITY_TURNS = 20;

/** Adds a position at which the visibility of users for guests changed. */
export const visibilityTurnsWith = ({ sightTurns = [] }: Organization, position: number): number[] => [
  ...sightTurns.slice(1 - MAX_VISIBILITY_TURNS),
  position,
];

/**
 * The permission settings after a position, as far as they decide who sees all users: there are two possible
 * values.
 */
export function visibilityGroupsAt(
  { groups, sightTurns = [] }: Organization,
  position: number,
): OrganizationGroups {
  const turnsSince = sightTurns.filter((turn) => turn > position).length;
  if (turnsSince % 2 === 0) return groups;
  const now = groups.can_access_all_users_group;
  const was = now === systemGroups.everyone ? systemGroups.members : systemGroups.everyone;
  return { ...groups, can_access_all_users_group: was };
}

/** The domain of generated addresses: addresses of bots, and placeholders of hidden ones. */
export const mailDomainOf = ({ url }: Pick<Organization, 'url'>): string => new URL(url).hostname;
