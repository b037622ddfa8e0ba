import type { Change, Job } from '#shared/domain/change.ts';
import { newcomerWrite } from '#shared/domain/channels/who-knows.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { standingEvents } from '#shared/domain/groups/standing.ts';
import { hasUnfitCharacter } from '#shared/domain/names.ts';
import { accountPart, settingWrites } from '#shared/domain/settings/change.ts';
import type { UserSettings } from '#shared/domain/settings/user-settings.ts';
import { noStatus, statusChange } from '#shared/domain/statuses/status.ts';
import { keys } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import { passwordWrite } from './password.ts';
import { type Account, type Role, roles, type User } from './user.ts';

const NAME_LIMITS = { shortest: 2, longest: 100 };
const FORBIDDEN_IN_NAMES = /[*`\\>"@]/;
const MAX_EMAIL_LENGTH = 254;
const EMAIL = /^[^\s@"(),:;<>[\\\]\p{Cc}]+@[^\s@"(),:;<>[\\\]\p{Cc}.]+(\.[^\s@"(),:;<>[\\\]\p{Cc}.]+)*$/u;

/** @throws BadRequest for a name that is too short or long, or that Markdown mentions could not spell */
export function checkFullName(given: string): string {
  const name = given.trim();
  const length = [...name].length;
  if (length > NAME_LIMITS.longest) throw new BadRequest('Name too long!');
  if (length < NAME_LIMITS.shortest) throw new BadRequest('Name too short!');
  if (FORBIDDEN_IN_NAMES.test(name) || hasUnfitCharacter(name))
    throw new BadRequest('Invalid characters in name!');
  if (/\|\d+$/.test(name)) throw new BadRequest('Invalid format!');
  return name;
}

/** @throws BadRequest for what is no e-mail address */
export function checkEmail(given: string): string {
  const email = given.trim();
  if (email.length > MAX_EMAIL_LENGTH || !EMAIL.test(email))
    throw new BadRequest('Enter a valid email address.');
  return email;
}

export interface NewAccount {
  userId: number;
  email: string;
  fullName: string;
  /** A member where it is absent. */
  role?: Role;
  avatarPicture?: string | undefined;
  nowSeconds: number;
}

/** An account's API key is another with each version. */
export const FIRST_KEY_VERSION = 1;
/** No key has this digest. */
const NONE_ISSUED = '';

/** Somebody who belongs to the organization as of now. */
export const createAccount = ({
  userId,
  email,
  fullName,
  role = roles.member,
  avatarPicture,
  nowSeconds,
}: NewAccount): Account => ({
  userId,
  email,
  fullName,
  role,
  isActive: true,
  isBot: false,
  isSystemBot: false,
  botOwnerId: null,
  createdAtSeconds: nowSeconds,
  avatarVersion: 1,
  timezone: '',
  keyVersion: FIRST_KEY_VERSION,
  apiKeyDigest: NONE_ISSUED,
  ...(avatarPicture !== undefined && { avatarPicture }),
});

/** What an account begins with, and for how long the organization calls members new. */
interface Beginnings {
  settings?: Partial<UserSettings>;
  passwordHash?: string;
  waitingPeriodDays: number;
  /** What the welcome bot says instead of the organization's own text, and who is told that somebody came. */
  welcome?: Welcome;
  /** Whether a channel is told that somebody came. */
  isAnnounced?: boolean;
}

export interface Welcome {
  text?: string;
  inviterId?: number;
}

/** What comes true with a new account: everybody hears of it and of its groups, and the welcome bot greets people. */
export const accountChange = (
  account: Account,
  { settings = {}, passwordHash, waitingPeriodDays, welcome = {}, isAnnounced = false }: Beginnings,
): Change => ({
  // What was sent before the account existed is not unread.
  writes: (position) => [
    ...accountWrites({ ...account, ...accountPart(settings) }, passwordHash),
    ...settingWrites(account.userId, { values: {}, revision: 0 }, settings),
    ...beginningStatus(account, settings).writes,
    { kind: 'put', item: { ...keys.readState(account.userId), floor: position } },
    newcomerWrite(),
  ],
  events: [
    { audience: { kind: 'everyone' }, payload: { type: 'realm_user', op: 'add', user: publicPart(account) } },
    ...standingEvents(account.userId, undefined, account, { waitingPeriodDays }),
    ...beginningStatus(account, settings).events,
  ],
  jobs: account.isBot ? [] : [welcomeJob(account, welcome, isAnnounced)],
});

const welcomeJob = ({ userId }: Account, welcome: Welcome, isAnnounced: boolean): Job => ({
  type: 'welcome-user',
  payload: { userId, ...welcome },
  steps: [0, ...(isAnnounced ? [1] : []), ...(welcome.inviterId === undefined ? [] : [2])],
});

/** Whoever is not shown as present from the beginning is away, as old clients say. */
const beginningStatus = ({ userId }: User, { presence_enabled = true }: Partial<UserSettings>) =>
  statusChange(noStatus(userId), { isAway: !presence_enabled });

/** The items of an account: the one that checking a key reads, the one that all users may read, and the password if it has one. */
export const accountWrites = (account: Account, passwordHash?: string): Write[] => [
  ...(passwordHash === undefined ? [] : [passwordWrite(account.userId, passwordHash)]),
  { kind: 'put', item: { ...keys.account(account.email), ...account }, condition: { exists: false } },
  {
    kind: 'put',
    item: { ...keys.user(account.userId), ...publicPart(account) },
    condition: { exists: false },
  },
];

function publicPart(account: Account): User {
  const {
    keyVersion: _keyVersion,
    apiKeyDigest: _apiKeyDigest,
    mayChangeEmails: _mayChangeEmails,
    followsTopicsFrom: _followsTopicsFrom,
    ...user
  } = account;
  return user;
}
