import { describe, expect, test } from 'vitest';
import { botDefaultEdits, listActiveBots, noDefaults } from '#shared/domain/users/bots.ts';
import { roleEdit } from '#shared/domain/users/edit.ts';
import { findOtherOwner, isActiveOwner } from '#shared/domain/users/role.ts';
import { requireUniqueName } from '#shared/domain/users/unique-name.ts';
import { type Account, botTypes, roles, type User } from '#shared/domain/users/user.ts';
import { userWrites } from '#shared/domain/users/writes.ts';
import { userKeys } from '#shared/table/keys/users.ts';

const person = (userId: number, given: Partial<User> = {}): User =>
  ({
    ...{ userId, email: `u${userId}@example.com`, fullName: `User ${userId}`, role: roles.member },
    ...{ isActive: true, isBot: false, isSystemBot: false, botOwnerId: null, avatarVersion: 1, ...given },
  }) as User;
const owner = person(1, { role: roles.owner });
const other = person(2, { role: roles.owner });

describe('The last owner', () => {
  const about = { effects: [], visibilityRevision: { people: 0, channels: 0 } };
  const checks = (target: User, otherOwner?: User) =>
    roleEdit(target, roles.member, otherOwner, about).checks.flatMap((write) =>
      write.kind === 'check' ? [write.key] : [],
    );

  test('Stays an owner, and of several each that leaves needs another who stays', () => {
    expect(() => checks(owner)).toThrow('The owner permission cannot be removed from the only');
    expect(checks(owner, other)).toEqual([userKeys.user(2)]);
    expect(checks(person(3, { role: roles.administrator }), other)).toEqual([]);
  });

  test('Must be an active person, and neither a bot nor a deactivated user', () => {
    const bot = { ...owner, isBot: true };
    const gone = { ...owner, isActive: false };
    expect([owner, bot, gone, person(3)].map(isActiveOwner)).toEqual([true, false, false, false]);
    expect(checks(bot)).toEqual([]);
    expect(checks(gone, other)).toEqual([]);
    expect(findOtherOwner([owner, { ...other, isBot: true }, person(3)], owner)).toBeUndefined();
    expect(findOtherOwner([owner, person(3), other], owner)).toBe(other);
  });
});

test('A name that must be unique is refused to all except its user', () => {
  const users = [person(1, { fullName: 'Ada' }), person(2, { fullName: 'Bo' })];
  const checkName = (name: string, self?: User) => () => requireUniqueName(name, users, self);
  expect(checkName('ada', users[0])).not.toThrow();
  expect(checkName('ada', users[1])).toThrow('Unique names required in this organization.');
  expect(checkName('ADA')).toThrow('Unique names required in this organization.');
  expect(checkName('Ada B')).not.toThrow();
});

test('The bots of a user include the active ones that they own', () => {
  const bot = (userId: number, botOwnerId: number, isActive = true) =>
    person(userId, { isBot: true, botOwnerId, isActive });
  const own = bot(10, 1);
  expect(listActiveBots([owner, own, bot(11, 1, false), bot(12, 2), other], owner)).toEqual([own]);
});

test('A bot whose default channel is replaced under the same name changes without an event', () => {
  const channel = (channelId: number) => ({ channelId, name: 'general' });
  const settings = (channelId: number) => ({
    ...noDefaults(botTypes.generic),
    sendingChannel: channel(channelId),
  });
  const bot = person(10, { isBot: true, botOwnerId: 1, bot: settings(5) });
  expect(botDefaultEdits(bot, settings(5), owner)).toEqual([]);
  expect(botDefaultEdits(bot, settings(6), owner)).toEqual([
    { set: { bot: settings(6) }, checks: [], events: [] },
  ]);
  expect(botDefaultEdits(bot, noDefaults(botTypes.generic), person(1))[0]?.events).toHaveLength(1);
});

test('A field that only one item of an account has is written to that item', () => {
  const account = { ...person(7), keyVersion: 1 } as Account;
  const written = (...given: Parameters<typeof userWrites>) =>
    userWrites(...given).map((write) => (write.kind === 'update' ? [write.key, write.set] : []));
  const profile = { set: { profileRevision: 2 }, belowOrAbsent: {} };
  expect(written(account, {})).toEqual([]);
  expect(written(account, {}, { account: { keyVersion: 2 } })).toEqual([
    [userKeys.account(account.email), { keyVersion: 2 }],
  ]);
  expect(written(account, {}, { profile })).toEqual([[userKeys.user(7), { profileRevision: 2 }]]);
  expect(written(account, { timezone: 'UTC' }, { profile })).toEqual([
    [userKeys.user(7), { timezone: 'UTC', profileRevision: 2 }],
    [userKeys.account(account.email), { timezone: 'UTC' }],
  ]);
});
