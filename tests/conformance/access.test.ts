import { describe, expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import type { Allowed, AnyEndpoint } from '#shared/api/endpoint.ts';
import type { Parameters } from '#shared/api/parameters.ts';
import { roles } from '#shared/domain/users/user.ts';
import type { Client, Params, Reply } from '#tests/harness/client.ts';
import { expectMissing, expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { answersJson, callAs, pathParametersOf, successOf } from './requests.ts';
import { samples } from './samples/samples.ts';
import { createWorld, noDevices, restoreCaller } from './world.ts';

type Name = keyof typeof endpoints;
type CallerKind = 'owner' | 'administrator' | 'moderator' | 'member' | 'guest' | 'bot';
const registry = Object.entries(endpoints) as [Name, AnyEndpoint][];
const allowing = (allowed: string) => registry.filter(([, { allow }]) => allow === allowed);

const BELOW_OWNER: CallerKind[] = ['administrator', 'moderator', 'member', 'guest', 'bot'];
const principal = (role: string) =>
  [`Must be an organization ${role}`, { code: 'UNAUTHORIZED_PRINCIPAL' }] as const;
const HUMAN = ['This endpoint does not accept bot requests.', {}] as const;
/** The users that an endpoint refuses by its declaration, with the error. The bot has the role of a member. */
const refusals: Record<Allowed, [CallerKind[], readonly [string, { code?: string }]][]> = {
  anyone: [],
  userOrAnonymous: [],
  user: [],
  human: [[['bot'], HUMAN]],
  member: [[['guest'], principal('member')]],
  humanMember: [
    [['bot'], HUMAN],
    [['guest'], principal('member')],
  ],
  administrator: [[BELOW_OWNER.slice(1), principal('administrator')]],
  owner: [[BELOW_OWNER, principal('owner')]],
};
const closedTo = registry.flatMap(([name, endpoint]) =>
  refusals[endpoint.allow as Allowed].flatMap(([kinds, refusal]) =>
    kinds.map((kind) => [name, kind, endpoint, refusal] as const),
  ),
);
const requiredOf = (endpoint: AnyEndpoint): string[] =>
  Object.entries(endpoint.params as Parameters)
    .filter(([name, { required }]) => required && !pathParametersOf(endpoint).includes(name))
    .map(([name]) => name);
const requirements = registry.flatMap(([name, endpoint]) =>
  requiredOf(endpoint).map((parameter): [Name, string, AnyEndpoint] => [name, parameter, endpoint]),
);

const service = await startTestService(noDevices);
const world = await createWorld(service);
const member = await service.createUser('Member');
const bot = await service.createUser('Robot');
await service.makeBot(bot, member);
const gone = await service.createUser('Gone', roles.administrator);
await service.deactivate(gone);
/** A caller of each kind that some endpoint may be closed to. */
const callers: Record<CallerKind, Client> = {
  owner: service.owner,
  administrator: await service.createUser('Administrator', roles.administrator),
  moderator: await service.createUser('Moderator', roles.moderator),
  member,
  guest: await service.createUser('Guest', roles.guest),
  bot,
};

const call = (endpoint: AnyEndpoint, params: Params, authorization?: string): Promise<Reply> =>
  callAs(service.url, endpoint, params, authorization);

const prepared = new Map<Name, Promise<Params>>();
/** The sample for a successful call. A refused user leaves it for the next one. */
function prepare(name: Name): Promise<Params> {
  const made = prepared.get(name) ?? Promise.resolve(samples[name](world));
  prepared.set(name, made);
  return made;
}
/** Calls each endpoint once, for all rules of the reply. */
function once(request: (name: Name) => Promise<Reply>): (name: Name) => Promise<Reply> {
  const replies = new Map<Name, Promise<Reply>>();
  return (name) => {
    const reply = replies.get(name) ?? request(name);
    replies.set(name, reply);
    return reply;
  };
}
const askWithoutCredentials = once(async (name) => {
  const endpoint: AnyEndpoint = endpoints[name];
  return call(endpoint, await (endpoint.allow === 'anyone' ? samples[name](world) : prepare(name)));
});
/**
 * The owner succeeds, although with more parameters than are declared. Samples make room, so prepared things may be
 * gone.
 */
const succeed = once(async (name) => {
  const params = { ...(await samples[name](world)), surprise: 'x', other_surprise: 1 };
  const reply = await call(endpoints[name], params, world.caller.authorization);
  await restoreCaller(world);
  return reply;
});

describe('An endpoint that is not for anyone', () => {
  const closed = registry.filter(([, { allow }]) => allow !== 'anyone');

  test.each(closed)('Requires credentials, and then valid ones: %s', async (name, endpoint) => {
    // Without any credentials the endpoint itself may decide, if it says so.
    if (endpoint.takesDeliveries)
      expectRefusal(await askWithoutCredentials(name), "Missing 'api_key' argument", {
        code: 'REQUEST_VARIABLE_MISSING',
        var_name: 'api_key',
      });
    else if (endpoint.allow !== 'userOrAnonymous')
      expectRefusal(
        await askWithoutCredentials(name),
        'Not logged in: API authentication or user session required',
        { status: 401, code: 'UNAUTHORIZED' },
      );
    const params = await prepare(name);
    const wrong = `Basic ${Buffer.from(`${world.caller.email}:${'x'.repeat(32)}`).toString('base64')}`;
    expectRefusal(await call(endpoint, params, wrong), 'Invalid API key', {
      status: 401,
      code: 'INVALID_API_KEY',
    });
    expectRefusal(await call(endpoint, params, gone.authorization), 'Account is deactivated', {
      status: 401,
      code: 'USER_DEACTIVATED',
    });
  });
});

describe('An endpoint for anyone', () => {
  test('Remains one of a few', () => {
    const names = allowing('anyone').map(([name]) => name);
    expect(names.sort()).toEqual([
      'askForPasswordReset',
      'checkCompatibility',
      'confirmAddress',
      'downloadExport',
      'fetchApiKey',
      'fetchApiKeyByJwt',
      'getApiDocument',
      'getEmojiNames',
      'getExtraEmojiPicture',
      'getInvitation',
      'getOrganizationIcon',
      'getOrganizationLogo',
      'getPicture',
      'getServerSettings',
      'getTemporaryFile',
      'getWellKnownDocument',
      'issueOauthToken',
      'joinBigBlueButtonCall',
      'joinOrganization',
      'registerOauthClient',
      'reportCspViolation',
      'resetPassword',
      'revokeOauthToken',
      'showConsent',
      'signIn',
    ]);
  });

  test.each(allowing('anyone'))(
    'Requires no credentials and ignores given ones: %s',
    async (name, endpoint) => {
      expect((await askWithoutCredentials(name)).status).toBe(successOf(endpoint));
      for (const authorization of ['nonsense', gone.authorization])
        expect((await call(endpoint, await samples[name](world), authorization)).status).toBe(
          successOf(endpoint),
        );
    },
  );
});

describe('An endpoint that is not for every account', () => {
  test.each(closedTo)(
    'Refuses at %s a caller with the role %s',
    async (name, kind, endpoint, [msg, refusal]) => {
      const params = await prepare(name);
      expectRefusal(await call(endpoint, params, callers[kind].authorization), msg, refusal);
    },
  );
});

describe('A required parameter', () => {
  test.each(requirements)(
    'Appears in the error if it is missing: %s: %s',
    async (name, parameter, endpoint) => {
      const { [parameter]: _missing, ...others } = await prepare(name);
      expectMissing(await call(endpoint, others, world.caller.authorization), parameter);
    },
  );

  test.each(registry.filter(([, endpoint]) => requiredOf(endpoint).length > 1))(
    'Appears in the error, or one of several, if none is given: %s',
    async (name, endpoint) => {
      const params = await prepare(name);
      const inPath = pathParametersOf(endpoint);
      const bare = Object.fromEntries(
        Object.entries(params).filter(([parameter]) => inPath.includes(parameter)),
      );
      const { status, body } = await call(endpoint, bare, world.caller.authorization);
      expect([status, body.code]).toEqual([400, 'REQUEST_VARIABLE_MISSING']);
      expect(requiredOf(endpoint)).toContain(body.var_name);
    },
  );
});

describe('Every endpoint', () => {
  test.each(registry)('Returns the remaining limit: %s', async (name) => {
    for (const { headers } of [await succeed(name), await askWithoutCredentials(name)])
      for (const part of ['limit', 'remaining', 'reset'])
        expect(headers.get(`x-ratelimit-${part}`), part).toMatch(/^\d+$/);
  });
});

describe('Undeclared parameters', () => {
  test.each(registry.filter(([, endpoint]) => answersJson(endpoint) && !endpoint.takesDeliveries))(
    'Get listed by %s, which succeeds',
    async (name) => {
      const { status, body } = await succeed(name);
      expect([status, body.ignored_parameters_unsupported?.sort()]).toEqual([
        200,
        ['other_surprise', 'surprise'],
      ]);
    },
  );
});
