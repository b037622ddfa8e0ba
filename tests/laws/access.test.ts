import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import type { Parameters } from '#shared/api/parameters.ts';
import { roles } from '#shared/domain/users/user.ts';
import { send } from '#tests/harness/anonymous.ts';
import type { Client, Params, Reply } from '#tests/harness/client.ts';
import { expectMissing, expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { encodeAll, pathParametersOf, toWire } from './requests.ts';
import { createWorld, restoreCaller, samples, type World } from './samples.ts';

type Name = keyof typeof endpoints;
const registry = Object.entries(endpoints) as [Name, AnyEndpoint][];
const allowing = (allowed: string) => registry.filter(([, { allow }]) => allow === allowed);
const requiredOf = (endpoint: AnyEndpoint): string[] =>
  Object.entries(endpoint.params as Parameters)
    .filter(([name, { required }]) => required && !pathParametersOf(endpoint).includes(name))
    .map(([name]) => name);
const requirements = registry.flatMap(([name, endpoint]) =>
  requiredOf(endpoint).map((parameter): [Name, string, AnyEndpoint] => [name, parameter, endpoint]),
);

let service: TestService;
let world: World;
let [member, bot, gone]: Client[] = [];
beforeAll(async () => {
  service = await startTestService();
  world = await createWorld(service);
  member = await service.createUser('Member');
  bot = await service.createUser('Robot');
  await service.makeBot(bot, member);
  gone = await service.createUser('Gone', roles.administrator);
  await service.deactivate(gone);
});
afterAll(() => service.stop());

function call(endpoint: AnyEndpoint, params: Params, authorization?: string): Promise<Reply> {
  const { method, path, form } = toWire(endpoint, encodeAll(params));
  const isQuery = method === 'GET';
  return send(service.url, isQuery && form ? `${path}?${form}` : path, {
    method,
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(!isQuery && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(!isQuery && { body: form }),
  });
}

describe('an endpoint that is not for anyone', () => {
  const closed = registry.filter(([, { allow }]) => allow !== 'anyone');

  test.each(closed)('%s asks for credentials, and then for right ones', async (name, endpoint) => {
    const params = await samples[name](world);
    expectRefusal(
      await call(endpoint, params),
      'Not logged in: API authentication or user session required',
      { status: 401, code: 'UNAUTHORIZED' },
    );
    const wrong = `Basic ${Buffer.from(`${world.caller.email}:${'x'.repeat(32)}`).toString('base64')}`;
    expectRefusal(await call(endpoint, params, wrong), 'Invalid API key', {
      status: 401,
      code: 'INVALID_API_KEY',
    });
    expectRefusal(await call(endpoint, params, gone?.authorization), 'Account is deactivated', {
      status: 401,
      code: 'USER_DEACTIVATED',
    });
  });
});

describe('an endpoint for anyone', () => {
  test('is one of few', () => {
    expect(allowing('anyone').map(([name]) => name)).toEqual(['fetchApiKey', 'getServerSettings']);
  });

  test.each(allowing('anyone'))('%s asks for nothing and overlooks what is given', async (name, endpoint) => {
    const params = await samples[name](world);
    for (const authorization of [undefined, 'nonsense', gone?.authorization])
      expect((await call(endpoint, params, authorization)).status).toBe(200);
  });
});

describe('an endpoint for people', () => {
  test.each(allowing('human'))('%s refuses bots', async (name, endpoint) => {
    expectRefusal(
      await call(endpoint, await samples[name](world), bot?.authorization),
      'This endpoint does not accept bot requests.',
    );
  });
});

describe('an endpoint for administrators', () => {
  test.each(allowing('administrator'))('%s refuses members and bots', async (name, endpoint) => {
    for (const caller of [member, bot])
      expectRefusal(
        await call(endpoint, await samples[name](world), caller?.authorization),
        'Must be an organization administrator',
        { code: 'UNAUTHORIZED_PRINCIPAL' },
      );
  });
});

describe('a required parameter', () => {
  test.each(requirements)('%s: %s is named when it is missing', async (name, parameter, endpoint) => {
    const { [parameter]: _missing, ...others } = await samples[name](world);
    expectMissing(await call(endpoint, others, world.caller.authorization), parameter);
  });

  test.each(registry.filter(([, one]) => requiredOf(one).length > 1))(
    '%s names one of them when nothing is given',
    async (name, endpoint) => {
      const params = await samples[name](world);
      const inPath = pathParametersOf(endpoint);
      const bare = Object.fromEntries(Object.entries(params).filter(([one]) => inPath.includes(one)));
      const { status, body } = await call(endpoint, bare, world.caller.authorization);
      expect([status, body.code]).toEqual([400, 'REQUEST_VARIABLE_MISSING']);
      expect(requiredOf(endpoint)).toContain(body.var_name);
    },
  );
});

describe('parameters that nobody declared', () => {
  test.each(registry)('%s names them and does its work', async (name, endpoint) => {
    const params = { ...(await samples[name](world)), surprise: 'x', other_surprise: 1 };
    const { status, body } = await call(endpoint, params, world.caller.authorization);
    await restoreCaller(world);
    expect([status, body.ignored_parameters_unsupported?.sort()]).toEqual([
      200,
      ['other_surprise', 'surprise'],
    ]);
  });
});
