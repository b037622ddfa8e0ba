import type { Change } from '#shared/domain/change.ts';
import { newcomerWrite } from '#shared/domain/channels/visibility-revision.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import type { Job } from '#shared/domain/jobs.ts';
import { hasUnfitCharacter } from '#shared/domain/names.ts';
import { accountPart, settingWrites } from '#shared/domain/settings/change.ts';
import type { UserSettings } from '#shared/domain/settings/user-settings.ts';
import { standingEvents } from '#shared/domain/user-groups/standing.ts';
import { noStatus, statusChange } from '#shared/domain/user-statuses/status.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Write } from '#shared/table/table.ts';
import { canonicalAddress } from './email-address.ts';
import { keyIndexWrites } from './key.ts';
import { passwordWrite } from './password.ts';
import { type Account, type Role, roles, type User } from './user.ts';

const NAME_LIMITS = { shortest: 2, longest: 100 };
const FORBIDDEN_IN_NAMES = /[*`\\>"@]/;

/** @throws BadRequest for a name that is too short or long, or that Markdown mentions cannot express */
export function checkFullName(input: string): string {
  const name = input.trim();
  const length = [...name].length;
  if (length > NAME_LIMITS.longest) throw new BadRequest('Name too long!');
  if (length < NAME_LIMITS.shortest) throw new BadRequest('Name too short!');
  if (FORBIDDEN_IN_NAMES.test(name) || hasUnfitCharacter(name))
    throw new BadRequest('Invalid characters in name!');
  if (/\|\d+$/.test(name)) throw new BadRequest('Invalid format!');
  return name;
}

/** The canonical spelling of an address. @throws BadRequest for a malformed e-mail address */
export function checkEmail(input: string): string {
  const email = canonicalAddress(input.trim());
  if (email === undefined) throw new BadRequest('Enter a valid email address.');
  return email;
}

export interface NewAccount {
  userId: number;
  email: string;
  fullName: string;
  /** Defaults to member. */
  role?: Role;
  avatarPicture?: string | undefined;
  nowSeconds: number;
}

/** Each version of an account's key is a different API key. */
export const FIRST_KEY_VERSION = 1;
/** No key has this digest. */
const NONE_ISSUED = '';

/** A new account of the organization. */
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

/** The input of a new account, including the organization's waiting period for new members. */
interface Beginnings {
  settings?: Partial<UserSettings>;
  passwordHash?: string;
  waitingPeriodDays: number;
  /** The welcome bot's special text, and the users who are notified of the new account. */
  welcome?: Welcome;
  /** Whether a channel announces the new account. */
  isAnnounced?: boolean;
}

export interface Welcome {
  text?: string;
  inviterId?: number;
}

/**
 * The change for a new account: all users are notified of it and of its groups, and the welcome bot greets people.
 */
export const accountChange = (
  account: Account,
  { settings = {}, passwordHash, waitingPeriodDays, welcome = {}, isAnnounced = false }: Beginnings,
): Change => ({
  // Messages from before the account are not unread.
  writes: (position) => [
    ...accountWrites({ ...account, ...accountPart(settings) }, passwordHash),
    ...settingWrites(account.userId, { values: {}, revision: 0 }, settings),
    ...beginningStatus(account, settings).writes,
    { kind: 'put', item: { ...userKeys.readState(account.userId), floor: position } },
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

/** An account that starts with hidden presence is away in terms of old clients. */
const beginningStatus = ({ userId }: User, { presence_enabled = true }: Partial<UserSettings>) =>
  statusChange(noStatus(userId), { isAway: !presence_enabled });

/**
 * The items of an account: the private one that authentication reads, the public one, and the password if
 * there is one.
 */
export const accountWrites = (account: Account, passwordHash?: string): Write[] => [
  ...(passwordHash === undefined ? [] : [passwordWrite(account.userId, passwordHash)]),
  ...keyIndexWrites(account.userId, account.apiKeyDigest),
  { kind: 'put', item: { ...userKeys.account(account.email), ...account }, condition: { exists: false } },
  {
    kind: 'put',
    item: { ...userKeys.user(account.userId), ...publicPart(account) },
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
