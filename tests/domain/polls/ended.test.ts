import { expect, test } from 'vitest';
import { endsKey, keyEndEvent } from '#shared/domain/users/key.ts';
import { endsSession, signOutChange } from '#shared/domain/users/sessions/session.ts';
import type { Account } from '#shared/domain/users/user.ts';
import { logEvent } from '#tests/harness/any-event.ts';

const entryOf = (events: Parameters<typeof endsKey>[0]['events']) => ({
  events: [logEvent({ type: 'invites_changed' }), ...events],
});

test('A poll ends with the next key of its user, and continues with that one and with keys of others', () => {
  const entry = entryOf([keyEndEvent(7, 3)]);
  expect(endsKey(entry, 7, 2)).toBe(true);
  expect(endsKey(entry, 7, 3)).toBe(false);
  expect(endsKey(entry, 7, 4)).toBe(false);
  expect(endsKey(entry, 8, 2)).toBe(false);
  expect(endsKey(entryOf([]), 7, 2)).toBe(false);
});

test('A poll ends with the session of its browser, and with no other session', () => {
  const session = (digest: string) => ({ digest, keyVersion: 1, endsAtSeconds: 100 });
  const account = { userId: 7, email: 'a@example.com', keyVersion: 1 } as Account;
  const signedIn = { ...account, sessions: ['a', 'b', 'c'].map(session) };
  const ended = (digest?: string) => entryOf(signOutChange(signedIn, digest, 0)?.events ?? []);
  const ends = (entry: ReturnType<typeof ended>, sessionDigest?: string, userId = 7) =>
    endsSession(entry, { ...account, userId, ...(sessionDigest !== undefined && { sessionDigest }) });
  expect(ends(ended('b'), 'b')).toBe(true);
  expect(ends(ended('b'), 'a')).toBe(false);
  expect(['a', 'b', 'c'].map((digest) => ends(ended(), digest))).toEqual([true, true, true]);
  expect(ends(ended(), 'b', 8)).toBe(false);
  expect(ends(ended())).toBe(false);
  expect(ends(entryOf([]), 'b')).toBe(false);
});
