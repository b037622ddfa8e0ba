import type { Allowance } from '#shared/domain/allowance.ts';
import type { Change } from '#shared/domain/change.ts';
import { forgetDraftsChange } from '#shared/domain/drafts/changes.ts';
import { type Appearance, appearanceChange } from '#shared/domain/presence/switch.ts';
import { displayEmailOf } from '#shared/domain/users/address.ts';
import { addressUpdateEvent, userUpdateEvent } from '#shared/domain/users/events.ts';
import { keyEndEvent, type OpensSessions } from '#shared/domain/users/key.ts';
import { passwordWrite, withoutHash } from '#shared/domain/users/password.ts';
import type { Account, User } from '#shared/domain/users/user.ts';
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
  const keyVersion = account.keyVersion + 1;
  const own: Partial<Account> = {
    ...(passwordHash !== undefined && { keyVersion, ...withoutHash }),
    ...(passwordHash !== undefined && opens && { sessions: opens({ ...account, keyVersion }) }),
    ...accountPart(differences),
  };
  const presence =
    isShown !== undefined && appearance && appearanceChange(account, appearance, { isShown, nowMs });
  const writes = [
    ...userWrites(account, known, Object.keys(own).length === 0 ? {} : { account: own }),
    ...settingWrites(account.userId, chosen, differences),
    ...(presence ? presence.writes : []),
    ...(passwordHash === undefined ? [] : [passwordWrite(account.userId, passwordHash)]),
  ];
  if (writes.length === 0) return undefined;
  const forgotten =
    drafts && differences.enable_drafts_synchronization === false
      ? forgetDraftsChange({ userId: account.userId, allowance: drafts })
      : undefined;
  return {
    writes: [...writes, ...(forgotten?.writes ?? [])],
    ...(forgotten && { jobs: forgotten.jobs }),
    events: [
      ...settingEvents(account.userId, differences),
      ...personEvents(account, known),
      ...(presence ? presence.events : []),
      ...(shown === account ? [] : [addressUpdateEvent(account, shown)]),
      ...(passwordHash === undefined ? [] : [keyEndEvent(account.userId, keyVersion)]),
    ],
  };
}

const personEvents = (account: Account, { fullName, timezone }: Partial<User>): LogEvent[] =>
  [
    ...(fullName === undefined ? [] : [{ user_id: account.userId, full_name: fullName }]),
    ...(timezone === undefined
      ? []
      : [{ user_id: account.userId, email: displayEmailOf(account), timezone }]),
  ].map(userUpdateEvent);
