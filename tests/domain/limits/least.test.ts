import { describe, expect, test } from 'vitest';
import { keepMentions } from '#shared/actions/messages/mentioning.ts';
import { readRegistration } from '#shared/domain/push/registration.ts';
import { checkToken } from '#shared/domain/push/token.ts';
import { checkFullName } from '#shared/domain/users/create.ts';
import type { Table } from '#shared/table/table.ts';
import { outcomeOf, wide } from './edge.ts';
import { pushKeyOf, registration } from './things.ts';

describe('The minimum is accepted, and less is refused', () => {
  test.each([
    [
      'a name of two characters',
      () => checkFullName(wide(2)),
      () => checkFullName(wide(1)),
      'Name too short!',
    ],
    [
      'a token of one character',
      () => checkToken('fcm', 'x'),
      () => checkToken('fcm', ''),
      'Empty or invalid length token',
    ],
    [
      'the number 0 of a push key',
      () => readRegistration({ push_key_id: 0, push_key: pushKeyOf(33, 0x31) }),
      () => readRegistration({ push_key_id: -1, push_key: pushKeyOf(33, 0x31) }),
      'Invalid push_key_id: Value error, Not a valid unsigned 32-bit integer',
    ],
  ])('For %s', (_what, least, less, refusal) => {
    expect(outcomeOf(least)).toBe('taken');
    expect(outcomeOf(less)).toBe(refusal);
  });

  test('A push key has 32 bytes after its type byte', () => {
    for (const [length, first] of [
      [32, 0x31],
      [34, 0x31],
      [33, 0x30],
      [33, 0x32],
    ] as const)
      expect(outcomeOf(() => readRegistration({ push_key_id: 1, push_key: pushKeyOf(length, first) }))).toBe(
        'Invalid `push_key`',
      );
  });

  test('A token of a device has an id of 8 bytes', () => {
    for (const length of [7, 9])
      expect(
        outcomeOf(() =>
          readRegistration({ ...registration, token_id: Buffer.alloc(length).toString('base64') }),
        ),
      ).toBe('Invalid `token_id`');
  });
});

test('A message that mentions nobody holds no mentions, not even empty ones', async () => {
  const table = {} as Table;
  const none = { userIds: [], memberIds: [], everybody: false, participantIds: [] };
  expect(await keepMentions(table, none)).toEqual({});
  expect(await keepMentions(table, { ...none, userIds: [7], everybody: true })).toEqual({
    userIds: [7],
    everybody: true,
  });
});
