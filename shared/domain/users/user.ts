import type { ProfileData } from '#shared/domain/profile/record.ts';

/** Roles of the protocol; smaller means more rights. */
export const roles = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;
export type Role = (typeof roles)[keyof typeof roles] | typeof SPECTATOR_ROLE;

/** Below every role: somebody without an account. */
const SPECTATOR_ROLE = 1000;

/** Who sees the e-mail address of a user, by the numbers of the protocol. */
export const emailVisibilities = {
  everyone: 1,
  members: 2,
  administrators: 3,
  nobody: 4,
  moderators: 5,
} as const;
export type EmailVisibility = (typeof emailVisibilities)[keyof typeof emailVisibilities];

/** What makes a user a bot that somebody made. */
export interface BotSettings {
  /** Generic bots may do what people may; incoming webhooks only send messages. */
  type: BotType;
  /** Queues of the bot get the messages of all public channels unless it says otherwise. */
  usesAllPublicChannels: boolean;
  /** The channel whose messages the bot's queues get unless it says otherwise. */
  eventsChannel: DefaultChannel | null;
  /** The channel that the bot's messages go to when they name none. */
  sendingChannel: DefaultChannel | null;
}

/** A channel that a bot uses by default, with the name that its owner called it by. */
export interface DefaultChannel {
  channelId: number;
  name: string;
}
export const botTypes = { generic: 1, incomingWebhook: 2 } as const;
export type BotType = (typeof botTypes)[keyof typeof botTypes];

/** A person or bot of the organization, as everybody who may see them knows them. */
export interface User {
  userId: number;
  email: string;
  fullName: string;
  role: Role;
  /** The newest changes of the role: where they stand in the log, and the role before. */
  roleTurns?: [position: number, before: Role][];
  isActive: boolean;
  isBot: boolean;
  /** One of the bots that belong to the service itself. */
  isSystemBot: boolean;
  botOwnerId: number | null;
  createdAtSeconds: number;
  avatarVersion: number;
  /** The name of the picture that they uploaded; absent where that of their address is shown. */
  avatarPicture?: string;
  timezone: string;
  /** Absent where everyone sees the address. */
  emailVisibility?: EmailVisibility;
  /** What stands for the address where not everyone may see it. */
  dummyEmail?: string;
  /** Absent for people and for the bots of the service. */
  bot?: BotSettings;
  /** The day since 1970 on which they last registered or sent something. */
  lastActiveDay?: number;
  /** Known of users that were read from their public item. */
  profileData?: ProfileData;
  /** Counts the changes of the profile data. */
  profileRevision?: number;
  /** How old the account was when the request began; known of those who act. */
  ageSeconds?: number;
  /** Whether they ever had alert words; known of those who act. */
  hasAlertWords?: boolean;
  /** The deed from which on they follow topics, unless that is the usual one; known of those who act. */
  followsTopicsFrom?: number;
  /** What was learned of the user's belonging to groups that roles do not decide. */
  memberships?: Map<number, boolean>;
}

/** The user as of a moment. The clock of whoever created the account may have been ahead; nobody is younger than new. */
export const asOf = <One extends User>(user: One, nowSeconds: number): One => ({
  ...user,
  ageSeconds: Math.max(0, nowSeconds - user.createdAtSeconds),
});

/** More changes of a role than this nobody's queue has to look back upon. */
const MAX_ROLE_TURNS = 20;

/** The changes of the role with one more, which takes place at a position. */
export const roleTurnsWith = ({ roleTurns = [], role }: User, position: number): User['roleTurns'] => [
  ...roleTurns.slice(1 - MAX_ROLE_TURNS),
  [position, role],
];

/** The role after everything up to a position of the log. */
export const roleAt = ({ roleTurns = [], role }: User, position: number): Role =>
  roleTurns.find(([turn]) => turn > position)?.[1] ?? role;

/** A user with what checking an API key needs. Keys are derived from id and key version, never stored. */
export interface Account extends User {
  keyVersion: number;
  /** Of the key that was issued last; of none before the first. Absent only where no version of the service kept it yet. */
  apiKeyDigest?: string;
  /** The special permission to change the e-mail addresses of others; operators give it. */
  mayChangeEmails?: boolean;
}

export const isOwner = (user: User): boolean => user.role === roles.owner;
export const isAdministrator = (user: User): boolean => user.role <= roles.administrator;
/** Guests, and spectators even more so. */
export const isGuest = (user: User): boolean => user.role >= roles.guest;

/** Whoever looks on without an account, where the organization lets them. */
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
