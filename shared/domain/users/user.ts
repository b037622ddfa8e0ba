import type { ProfileData } from '#shared/domain/profile/record.ts';

/** Roles of the protocol; smaller means more rights. */
export const roles = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;
export type Role = (typeof roles)[keyof typeof roles] | typeof SPECTATOR_ROLE;

/** Below every role: somebody without an account. */
const SPECTATOR_ROLE = 1000;

/** A person or bot of the organization, as everybody who may see them knows them. */
export interface User {
  userId: number;
  email: string;
  fullName: string;
  role: Role;
  isActive: boolean;
  isBot: boolean;
  /** One of the bots that belong to the service itself. */
  isSystemBot: boolean;
  botOwnerId: number | null;
  createdAtSeconds: number;
  avatarVersion: number;
  timezone: string;
  /** The day since 1970 on which they last registered or sent something. */
  lastActiveDay?: number;
  /** Known of users that were read from their public item. */
  profileData?: ProfileData;
  /** Counts the changes of the profile data. */
  profileRevision?: number;
  /** How old the account was when the request began; known of those who act. */
  ageSeconds?: number;
  /** What was learned of the user's belonging to groups that roles do not decide. */
  memberships?: Map<number, boolean>;
}

/** The user as of a moment. */
export const asOf = <One extends User>(user: One, nowSeconds: number): One => ({
  ...user,
  ageSeconds: nowSeconds - user.createdAtSeconds,
});

/** A user with what signing in needs. API keys are derived from id and key version, never stored. */
export interface Account extends User {
  keyVersion: number;
  /** scrypt, with its parameters; absent for accounts without a password. */
  passwordHash?: string;
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
