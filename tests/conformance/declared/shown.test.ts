import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import type { DeclaredErrorClass } from '#shared/domain/errors.ts';
import { shownBy } from '#tests/harness/declared/witnesses.ts';

type Name = keyof typeof endpoints;

const LIMITED_GUESTS = 'a guest who sees only some people meets others by it, or loses sight of them';
const CHANNELS_OF_GROUPS = 'private channels that a group may know of appear and go, as by its members';
const EARLY = 'told to a client that registers before the jobs of its new account have run';
const FIRST = 'told where the message is, or was, the first of its channel';
const AS_SENDING = 'decided by the rule for sending, which has its test';

/** What is declared and no test shows, each with its reason. */
const NOT_SHOWN: Partial<Record<Name, Record<string, string>>> = {
  createChannel: { 'realm_user/add': LIMITED_GUESTS },
  createScheduledMessage: { TOPIC_WILDCARD_MENTION_NOT_ALLOWED: AS_SENDING },
  createUser: { 'stream/create': EARLY },
  deactivateOwnUser: { 'realm_user/remove': LIMITED_GUESTS },
  editMessage: { TOPIC_WILDCARD_MENTION_NOT_ALLOWED: AS_SENDING },
  editScheduledMessage: { TOPIC_WILDCARD_MENTION_NOT_ALLOWED: AS_SENDING },
  editSubscriptions: { 'realm_user/add': LIMITED_GUESTS, 'realm_user/remove': LIMITED_GUESTS },
  editUserGroupSubgroups: {
    'stream/create': CHANNELS_OF_GROUPS,
    'stream/delete': CHANNELS_OF_GROUPS,
    'subscription/peer_add': CHANNELS_OF_GROUPS,
  },
  reactivateUser: { 'stream/create': EARLY },
  reportMessage: { 'stream/update': FIRST },
  sendOlderTestNotification: {
    INTERNAL_SERVER_ERROR_ON_BOUNCER: 'thrown by the relay alone, as for a newer test',
  },
};

/** Operations with several names, of clients of earlier versions, are one. */
const operations = [
  ...Map.groupBy(Object.entries(endpoints) as [Name, AnyEndpoint][], ([, { handle }]) => handle).values(),
].map((group) => ({ names: group.map(([name]) => name), endpoint: group[0]?.[1] as AnyEndpoint }));

const codesOf = ({ errors }: AnyEndpoint): string[] =>
  errors.map((declared: DeclaredErrorClass) => new declared('').code ?? '');

describe.each(operations)('$names', ({ names, endpoint }) => {
  test('is shown by a test to emit each event and to refuse with each error that it declares, and nothing else', () => {
    const shown = Object.values(shownBy).flatMap((file) => names.flatMap((name) => file[name] ?? []));
    const known = names.flatMap((name) => Object.keys(NOT_SHOWN[name] ?? {}));
    expect([...shown, ...known].sort()).toEqual(
      [...new Set([...endpoint.emits, ...codesOf(endpoint)])].sort(),
    );
  });
});

test('the files that show what operations declare are there, and name operations', () => {
  const files = Object.keys(shownBy);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  const named = new Set(Object.values(shownBy).flatMap((file) => Object.keys(file)));
  expect([...named].filter((name) => !(name in endpoints))).toEqual([]);
});
