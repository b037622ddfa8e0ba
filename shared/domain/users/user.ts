import type { TokenGrant } from '#shared/domain/api-tokens/api-token.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import type { ProfileData } from '#shared/domain/profile/record.ts';
import type { BotService } from '#shared/domain/webhooks/service.ts';
import type { BotCommand } from './bot-commands.ts';
import type { Session } from './sessions/session.ts';

/** Roles of the protocol; smaller means more rights. */
export const roles = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;
export type Role = (typeof roles)[keyof typeof roles] | typeof SPECTATOR_ROLE;

/** Below every role: anonymous callers. */
const SPECTATOR_ROLE = 1000;

/** Who may see a user's e-mail address, by protocol number. */
export const emailVisibilities = {
  everyone: 1,
  members: 2,
  administrators: 3,
  nobody: 4,
  moderators: 5,
} as const;
export type EmailVisibility = (typeof emailVisibilities)[keyof typeof emailVisibilities];

/** The settings of a bot that a user created. */
export interface BotSettings {
  /**
   * Generic bots may do what people may; incoming webhooks may only send messages; outgoing webhooks call a server
   * when they are addressed, and may do what people may.
   */
  type: BotType;
  /** The bot's queues get the messages of all public channels by default. */
  usesAllPublicChannels: boolean;
  /** The channel whose messages the bot's queues get by default. */
  eventsChannel: DefaultChannel | null;
  /** The integration that an incoming webhook was made for. */
  integration?: string;
  /** The channel for messages of the bot that name none. */
  sendingChannel: DefaultChannel | null;
  /** The server that an outgoing webhook calls; absent for other bots. */
  service?: BotService;
  /** The commands that clients offer; absent until the bot declared some. */
  commands?: BotCommand[];
}

/** A bot's default channel, with the name that its owner used. */
export interface DefaultChannel {
  channelId: number;
  name: string;
}
export const botTypes = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3 } as const;
export type BotType = (typeof botTypes)[keyof typeof botTypes];

/** The public part of a person or bot of the organization. */
export interface User {
  userId: number;
  email: string;
  fullName: string;
  role: Role;
  /** The latest changes of the role: log position and previous role. */
  roleTurns?: [position: number, before: Role][];
  isActive: boolean;
  isBot: boolean;
  /** One of the service's own bots. */
  isSystemBot: boolean;
  botOwnerId: number | null;
  createdAtSeconds: number;
  avatarVersion: number;
  /** The name of the uploaded picture; absent without one. */
  avatarPicture?: string;
  timezone: string;
  /** Absent when all users may see the address. */
  emailVisibility?: EmailVisibility;
  /** Replaces the address for users who may not see it. */
  dummyEmail?: string;
  /** Absent for people and for the service's bots. */
  bot?: BotSettings;
  /** The day, counted from 1970, of the last register or message. */
  lastActiveDay?: number;
  /** Present if the user was read from their public item. */
  profileData?: ProfileData;
  /** Counts changes of the profile data. */
  profileRevision?: number;
  /** The age of the account at the start of the request; present for the caller. */
  ageSeconds?: number;
  /** Whether they ever had alert words; present for the caller. */
  hasAlertWords?: boolean;
  /** The weakest action that makes them follow a topic, if it is not the default; present for the caller. */
  followsTopicsFrom?: number;
  /**
   * The only channels that the caller reaches, and no direct messages; present for callers whose API token is limited to
   * channels. `mayKnow` and `mayRead` obey it.
   */
  onlyChannels?: readonly number[];
  /** Loaded memberships in groups that roles do not decide. */
  memberships?: Map<number, boolean>;
}

/** The user as of a moment. Clocks differ, so the age is never negative. */
export const asOf = <One extends User>(user: One, nowSeconds: number): One => ({
  ...user,
  ageSeconds: Math.max(0, nowSeconds - user.createdAtSeconds),
});

/** No queue needs to look back over more role changes than this. */
const MAX_ROLE_TURNS = 20;

/** Adds a role change at a position. */
export const roleTurnsWith = ({ roleTurns = [], role }: User, position: number): User['roleTurns'] => [
  ...roleTurns.slice(1 - MAX_ROLE_TURNS),
  [position, role],
];

/** The role after a position of the log. */
export const roleAt = ({ roleTurns = [], role }: User, position: number): Role =>
  roleTurns.find(([turn]) => turn > position)?.[1] ?? role;

/** A user with the data that authentication needs. Keys are derived from id and key version, never stored. */
export interface Account extends User {
  keyVersion: number;
  /**
   * The digest of the last issued key, or of none. Absent only if no version of the service has stored it
   * yet.
   */
  apiKeyDigest?: string;
  /** The signed-in browsers; absent before the first. */
  sessions?: Session[];
  /** The session of the caller; present for callers who use a browser. */
  sessionDigest?: string;
  /** The API token of the caller; present for callers who use one. */
  token?: TokenGrant;
  /** The special permission to change the e-mail addresses of others; operators grant it. */
  mayChangeEmails?: boolean;
}

/** Whether the user reaches a channel as far as their API token decides. */
export const reachesChannel = ({ onlyChannels }: Pick<User, 'onlyChannels'>, channelId: number): boolean =>
  onlyChannels === undefined || onlyChannels.includes(channelId);

export const isOwner = (user: User): boolean => user.role === roles.owner;
export const isAdministrator = (user: User): boolean => user.role <= roles.administrator;
/** True for guests and for anonymous callers. */
export const isGuest = (user: User): boolean => user.role >= roles.guest;

/** An anonymous caller, if the organization admits them. */
export const spectator: User = {
  userId: 0,
  email: '',
  fullName: '',
  role: SPECTATOR_ROLE,
  isActive: true,
  isBot: false,
  isSystemBot: false,
  botOwnerId: null,
  createdAtSeconds: 0,
  avatarVersion: 1,
  timezone: '',
};

const DAY_SECONDS = 24 * 3600;
/** Users active within these days are listed among the subscribers of every channel (reference, "Limits"). */
const ACTIVE_DAYS = 14;

/** Days since 1970. */
export const dayOf = (seconds: number): number => Math.floor(seconds / DAY_SECONDS);

/** Whether the user was active lately; a new account counts as active. */
export const isRecentlyActive = (
  { lastActiveDay = 0, createdAtSeconds }: User,
  nowSeconds: number,
): boolean => dayOf(nowSeconds) - Math.max(lastActiveDay, dayOf(createdAtSeconds)) <= ACTIVE_DAYS;

/** What decides which address of a user is shown. */
export type AddressOwner = Pick<User, 'userId' | 'email' | 'emailVisibility' | 'dummyEmail'>;

/** The generated address of a user whose real one is hidden. */
export const dummyEmailOf = (userId: number, domain: string): string => `user${userId}@${domain}`;

/** The address that all users see: the real one only if its visibility is everyone. */
export const displayEmailOf = ({ email, dummyEmail }: AddressOwner): string => dummyEmail ?? email;

/** Whether the viewer may see the real address. Users may always see their own; anonymous callers none. */
export function mayKnowAddress(viewer: User, owner: AddressOwner): boolean {
  if (viewer.userId === owner.userId) return true;
  switch (owner.emailVisibility ?? emailVisibilities.everyone) {
    case emailVisibilities.everyone:
      return viewer.role <= roles.guest;
    case emailVisibilities.members:
      return !isGuest(viewer);
    case emailVisibilities.moderators:
      return viewer.role <= roles.moderator;
    case emailVisibilities.administrators:
      return isAdministrator(viewer);
    default:
      return false;
  }
}

/** The real address, or null for viewers who may not see it. */
export const deliveryEmailFor = (viewer: User, owner: AddressOwner): string | null =>
  mayKnowAddress(viewer, owner) ? owner.email : null;

const DUMMY = /^user(\d{1,10})@(.+)$/i;

/** The user id and domain of a text in the form of a generated address. */
export function readDummyEmail(text: string): { userId: number; domain: string } | undefined {
  const [, userId, domain] = DUMMY.exec(text) ?? [];
  return userId === undefined || domain === undefined ? undefined : { userId: Number(userId), domain };
}

/** @throws BadRequest for an address in the form of the generated ones */
export function requireNoDummy(email: string, domain: string): void {
  if (readDummyEmail(email)?.domain.toLowerCase() === domain)
    throw new BadRequest(`Email '${email}' not allowed in this organization`);
}
