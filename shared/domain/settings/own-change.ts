import type { Allowance } from '#shared/domain/allowance.ts';
import type { Change } from '#shared/domain/change.ts';
import { forgetDraftsChange } from '#shared/domain/drafts/changes.ts';
import { type Appearance, appearanceChange } from '#shared/domain/presence/switch.ts';
import { addressUpdateEvent, userUpdateEvent } from '#shared/domain/users/events.ts';
import { keyEndEvent, type OpensSessions } from '#shared/domain/users/key.ts';
import { passwordWrite, withoutHash } from '#shared/domain/users/password.ts';
import { type Account, displayEmailOf, type User } from '#shared/domain/users/user.ts';
import { visibilityAttributes, withEmailVisibility } from '#shared/domain/users/visibility.ts';
import { userWrites } from '#shared/domain/users/writes.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { accountPart, settingDifferences, settingEvents, settingWrites } from './change.ts';
import { type ChosenSettings, effectiveSettings, type UserSettings } from './user-settings.ts';

/** The changes that users make to themselves, validated. */
export interface OwnWishes {
  fullName?: string | undefined;
  passwordHash?: string | undefined;
  /** The sessions of the account under the new password; all end without it. */
  opens?: OpensSessions | undefined;
  settings: Partial<UserSettings>;
  /** The domain of generated addresses that replace hidden ones. */
  mailDomain: string;
  nowMs: number;
  /** Loaded when the presence setting may change. */
  appearance?: Appearance | undefined;
  /** The room of the user's drafts, loaded when they may cease to be kept. */
  drafts?: Allowance | undefined;
}

/**
 * Changes a user's settings, name and password; a new password invalidates the API key. Undefined when
 * nothing changes.
 */
export function ownSettingsChange(
  account: Account,
  chosen: ChosenSettings,
  { fullName, passwordHash, opens, settings, mailDomain, nowMs, appearance, drafts }: OwnWishes,
): Change | undefined {
  const differences = settingDifferences(effectiveSettings(account, chosen), settings);
  const { timezone, email_address_visibility: visibility, presence_enabled: isShown } = differences;
  const shown = visibility === undefined ? account : withEmailVisibility(account, visibility, mailDomain);
  const known: Partial<User> = {
    ...(fullName !== undefined && fullName !== account.fullName && { fullName }),
    ...(timezone !== undefined && { timezone }),
    ...(shown !== account && visibilityAttributes(shown)),
  };
  const password = passwordHash === undefined ? undefined : newPassword(account, passwordHash, opens);
  const own: Partial<Account> = { ...password?.own, ...accountPart(differences) };
  const presence =
    isShown !== undefined && appearance && appearanceChange(account, appearance, { isShown, nowMs });
  const writes = [
    ...userWrites(account, known, Object.keys(own).length === 0 ? {} : { account: own }),
    ...settingWrites(account.userId, chosen, differences),
    ...(presence ? presence.writes : []),
    ...(password?.writes ?? []),
  ];
  if (writes.length === 0) return undefined;
  const forgotten = forgottenDrafts(account.userId, differences, drafts);
  return {
    writes: [...writes, ...(forgotten?.writes ?? [])],
    ...(forgotten && { jobs: forgotten.jobs }),
    events: [
      ...settingEvents(account.userId, differences),
      ...personEvents(account, known),
      ...(presence ? presence.events : []),
      ...(shown === account ? [] : [addressUpdateEvent(account, shown)]),
      ...(password?.events ?? []),
    ],
  };
}

/** Drafts are forgotten when their synchronization is switched off. */
const forgottenDrafts = (
  userId: number,
  differences: Partial<UserSettings>,
  allowance: Allowance | undefined,
) =>
  allowance && differences.enable_drafts_synchronization === false
    ? forgetDraftsChange({ userId, allowance })
    : undefined;

/** A new password ends the API key and the sessions, except for the sessions that it opens. */
function newPassword(account: Account, passwordHash: string, opens: OpensSessions | undefined) {
  const keyVersion = account.keyVersion + 1;
  const sessions = opens?.({ ...account, keyVersion });
  return {
    own: { keyVersion, ...withoutHash, ...(sessions && { sessions }) },
    writes: [passwordWrite(account.userId, passwordHash)],
    events: [keyEndEvent(account.userId, keyVersion)],
  };
}

const personEvents = (account: Account, { fullName, timezone }: Partial<User>): LogEvent[] =>
  [
    ...(fullName === undefined ? [] : [{ user_id: account.userId, full_name: fullName }]),
    ...(timezone === undefined
      ? []
      : [{ user_id: account.userId, email: displayEmailOf(account), timezone }]),
  ].map(userUpdateEvent);
