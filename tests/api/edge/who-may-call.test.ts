import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { describeApi } from '#infra/openapi/document.ts';
import { type Allowed, type AnyEndpoint, endpoint, type Route } from '#shared/api/endpoint.ts';
import { optional, text } from '#shared/api/parameters.ts';
import { Unauthorized } from '#shared/domain/errors.ts';
import { roles } from '#shared/domain/users/user.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { call, serve } from '#tests/infra/local/gateway-fixture.ts';

/** Returns the caller, as far as the endpoint knows. */
const whoCalls = <A extends Allowed>(allow: A) =>
  endpoint({
    route: `GET /${allow.toLowerCase()}` as Route,
    summary: 'Return the caller',
    allow,
    params: {},
    result: z.object({ caller: z.nullable(z.int()) }),
    errors: [],
    emits: [],
    uses: { table: 'none' },
    handle: async (_params, { caller }) => ({ caller: caller?.userId ?? null }),
  });

/** The kind of endpoint that an organization may open to the public. */
const readBoard = endpoint({
  route: 'POST /board',
  summary: 'Read what hangs on the board',
  allow: 'userOrAnonymous',
  params: { board: optional(text(z.string(), 'Which board')) },
  result: z.object({ reader: z.string() }),
  errors: [Unauthorized],
  emits: [],
  uses: { table: 'none' },
  async handle({ board }, { caller }) {
    if (!caller && board !== 'public') throw new Unauthorized();
    return { reader: caller?.fullName ?? 'the public' };
  },
});

const registry: Record<string, AnyEndpoint> = {
  anyone: whoCalls('anyone'),
  userOrAnonymous: whoCalls('userOrAnonymous'),
  user: whoCalls('user'),
  human: whoCalls('human'),
  member: whoCalls('member'),
  humanMember: whoCalls('humanMember'),
  administrator: whoCalls('administrator'),
  owner: whoCalls('owner'),
  readBoard,
};

const service = await startTestService();
const member = await service.createUser('Member');
const people: Record<string, Client> = {
  owner: service.owner,
  administrator: await service.createUser('Administrator', roles.administrator),
  moderator: await service.createUser('Moderator', roles.moderator),
  member,
  guest: await service.createUser('Guest', roles.guest),
  bot: await service.createUser('Robot'),
  'administrating bot': await service.createUser('Admin Robot', roles.administrator),
  'bot that is a guest': await service.createUser('Guest Robot', roles.guest),
};
for (const [name, client] of Object.entries(people))
  if (name.includes('bot')) await service.makeBot(client, member);
const gateway = await serve(registry, { services: service.services });

const callAs = (client: Client | undefined, path: string, init: RequestInit = {}) =>
  call(gateway, path, { ...init, ...(client && { headers: { authorization: client.authorization } }) });

const NO_BOTS = 'This endpoint does not accept bot requests.';
const must = (role: string) => `Must be an organization ${role}`;
const BOTS = { bot: NO_BOTS, 'administrating bot': NO_BOTS, 'bot that is a guest': NO_BOTS };
const GUESTS = { guest: must('member'), 'bot that is a guest': must('member') };
const BELOW_ADMINISTRATOR = ['moderator', 'member', 'guest', 'bot', 'bot that is a guest'];
const each = (names: string[], msg: string) => Object.fromEntries(names.map((name) => [name, msg]));

/** Which callers each kind of endpoint refuses, and in which words. Every other user may call. */
const refused: Record<Allowed, Record<string, string>> = {
  anyone: {},
  userOrAnonymous: {},
  user: {},
  human: BOTS,
  member: GUESTS,
  humanMember: { ...GUESTS, ...BOTS },
  administrator: each(BELOW_ADMINISTRATOR, must('administrator')),
  owner: each([...BELOW_ADMINISTRATOR, 'administrator', 'administrating bot'], must('owner')),
};

describe.each(Object.entries(refused))('An endpoint for %s', (allow, refusals) => {
  const path = `/${allow.toLowerCase()}`;

  test('Answers its users, and refuses others in the words of the protocol', async () => {
    for (const [name, client] of Object.entries(people)) {
      const reply = await callAs(client, path);
      const msg = refusals[name];
      if (msg === undefined) {
        const known = allow === 'anyone' ? null : client.userId;
        expect([name, reply.status, reply.body.caller]).toEqual([name, 200, known]);
      } else expectRefusal(reply, msg, { ...(msg !== NO_BOTS && { code: 'UNAUTHORIZED_PRINCIPAL' }) });
    }
  });
});

describe('An endpoint that may be called without an account', () => {
  const post = (board: string, client?: Client) =>
    callAs(client, '/board', { method: 'POST', body: new URLSearchParams({ board }) });

  test('Refuses anonymous callers if it needs a user', async () => {
    expect((await post('public')).body.reader).toBe('the public');
    const msg = 'Not logged in: API authentication or user session required';
    expectRefusal(await post('staff'), msg, { status: 401, code: 'UNAUTHORIZED' });
    expect((await post('staff', people.guest)).body.reader).toBe('Guest');
  });

  test('Documents both ways to call it and every error of accounts', () => {
    const document = describeApi(registry, { title: 'Test' });
    const operation = document.paths['/api/v1/board']?.post;
    expect(operation?.security).toEqual([{ basic: [] }, { session: [] }, {}]);
    expect(operation?.description).toMatch(/without/);
    const schema = operation?.responses[401]?.content?.['application/json']?.schema;
    const names = ['Unauthorized', 'InvalidApiKey', 'UserDeactivated', 'OrganizationDeactivated'];
    expect(schema).toEqual({ anyOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })) });
  });
});

test('Every endpoint documents 429 and the headers of the limit', () => {
  const document = describeApi(registry, { title: 'Test' });
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(operations).toHaveLength(Object.keys(registry).length);
  const names = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
  for (const { responses } of operations) {
    expect(Object.keys(responses[200]?.headers ?? {})).toEqual(names);
    expect(Object.keys(responses[429]?.headers ?? {})).toEqual([...names, 'Retry-After']);
  }
});
