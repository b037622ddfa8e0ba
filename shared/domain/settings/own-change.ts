import type { Change } from '#shared/domain/change.ts';
import type { Account } from '#shared/domain/users/user.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item, Write } from '#shared/table/table.ts';
import { settingDifferences, settingEvents, settingWrites } from './change.ts';
import { type ChosenSettings, effectiveSettings, type UserSettings } from './user-settings.ts';

/** What users want to change about themselves, checked already. */
export interface OwnWishes {
  fullName?: string | undefined;
  passwordHash?: string | undefined;
  settings: Partial<UserSettings>;
}

/** Users change their settings, name and password; undefined when all of it is so already. */
export function ownSettingsChange(
  account: Account,
  chosen: ChosenSettings,
  { fullName, passwordHash, settings }: OwnWishes,
): Change | undefined {
  const differences = settingDifferences(effectiveSettings(account, chosen), settings);
  const known: Item = {
    ...(fullName !== undefined && fullName !== account.fullName && { fullName }),
    ...(differences.timezone !== undefined && { timezone: differences.timezone }),
  };
  const secret: Item = passwordHash === undefined ? {} : { passwordHash };
  const writes = [
    ...personWrites(account, known, secret),
    ...settingWrites(account.userId, chosen, differences),
  ];
  if (writes.length === 0) return undefined;
  return {
    writes,
    events: [...settingEvents(account.userId, differences), ...personEvents(account, known)],
  };
}

/** Both items of an account hold what others see; the account alone holds what they do not. */
function personWrites(account: Account, known: Item, secret: Item): Write[] {
  const writes: Write[] = [];
  const all = { ...known, ...secret };
  if (Object.keys(all).length > 0)
    writes.push({
      kind: 'update',
      key: keys.account(account.email),
      set: all,
      condition: stillIs(account, all),
    });
  if (Object.keys(known).length > 0)
    writes.push({
      kind: 'update',
      key: keys.user(account.userId),
      set: known,
      condition: stillIs(account, known),
    });
  return writes;
}

const stillIs = (account: Account, changed: Item) => ({
  equals: {
    userId: account.userId,
    ...Object.fromEntries(Object.keys(changed).map((name) => [name, account[name as keyof Account]])),
  },
});

const personEvents = ({ userId, email }: Account, { fullName, timezone }: Item): LogEvent[] =>
  [
    ...(fullName === undefined ? [] : [{ user_id: userId, full_name: fullName }]),
    ...(timezone === undefined ? [] : [{ user_id: userId, email, timezone }]),
  ].map((person) => ({
    audience: { kind: 'everyone' },
    payload: { type: 'realm_user', op: 'update', person },
  }));
