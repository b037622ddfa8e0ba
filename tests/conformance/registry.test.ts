import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import type { Parameters } from '#shared/api/parameters.ts';
import { createMethodFinder, findPostTarget, gatewayRouteOf } from '#shared/api/route.ts';
import { DeclaredError, type DeclaredErrorClass } from '#shared/domain/errors.ts';
import { eventTypes } from '#shared/events/catalogue.ts';
import {
  INTERNAL_KEY_ENDED,
  INTERNAL_QUEUE_REMOVED,
  INTERNAL_SESSION_ENDED,
} from '#shared/events/stored-fields.ts';
import { addPhone } from '#tests/harness/relay.ts';
import { startTestService } from '#tests/harness/service.ts';
import { record } from './recorder.ts';
import { pathParametersOf, successOf, toGatewayEvent } from './requests.ts';
import { samples } from './samples/samples.ts';
import { createWorld, restoreCaller } from './world.ts';

type Name = keyof typeof endpoints;
const registry = Object.entries(endpoints) as [Name, AnyEndpoint][];
/** Files that no route of the registry leads to: the answer to everything else, workers, and tools of agents. */
const OUTSIDE_THE_REGISTRY =
  /^functions\/(routes\/.*|server\/answer-unrouted|(workers|sockets|agents\/tools)\/.*)\.ts$/;

/** Events that no call of a client causes: the sweep deletes old messages. */
const OF_WORKERS = ['delete_message'];

const toKebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const functionFiles = globSync('functions/*/**/*.ts').filter((file) => !OUTSIDE_THE_REGISTRY.test(file));
const fileOf = (name: string): string | undefined =>
  functionFiles.find((file) => basename(file, '.ts') === toKebab(name));

describe.each(registry)('The endpoint %s', (name, endpoint) => {
  test('Has the name of its file and of its tests’ file', async () => {
    const file = fileOf(name);
    expect(file, `functions/<area>/${toKebab(name)}.ts`).toBeDefined();
    const path = resolve(file ?? '');
    const exported = await import(path);
    expect(Object.keys(exported).sort()).toEqual([name, 'handler'].sort());
    expect(exported[name]).toBe(endpoint);
    expect(typeof exported.handler).toBe('function');
    const area = basename(dirname(file ?? ''));
    // Tests of one operation may be several files, by theme; a file of several operations names them in its first line.
    const named = globSync(`tests/api/${area}/**/${toKebab(name)}{,-*}.test.ts`);
    const head = new RegExp(`^// The operations .*\\b${name}\\b`);
    const isShared = (file: string): boolean => head.test(readFileSync(file, 'utf8'));
    const hasTests = named.length > 0 || globSync(`tests/api/${area}/**/*.test.ts`).some(isShared);
    expect(hasTests, `tests of ${name}`).toBe(true);
  });

  test('Declares the parameters of its path, and every one in the spelling of the protocol', () => {
    const params = endpoint.params as Parameters;
    for (const inPath of pathParametersOf(endpoint)) expect(params[inPath]?.required, inPath).toBe(true);
    for (const [parameter, { description, aliases }] of Object.entries(params)) {
      for (const spelling of [parameter, ...aliases])
        expect(spelling).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
      expect(description, `what ${parameter} means`).not.toBe('');
      expect(['client', 'method']).not.toContain(parameter);
    }
  });

  test('Emits only events of the catalogue, and declares each event and error once', () => {
    expect(eventTypes).toEqual(expect.arrayContaining(endpoint.emits));
    expect(new Set(endpoint.emits).size).toBe(endpoint.emits.length);
    expect(new Set(endpoint.errors).size).toBe(endpoint.errors.length);
    for (const declared of endpoint.errors as DeclaredErrorClass[]) {
      const { code, status } = new declared('');
      expect(declared.prototype).toBeInstanceOf(DeclaredError);
      expect(code).toMatch(/^[A-Z][A-Z_]+$/);
      // Senders of webhooks stop after refusals: an error for them has the status of a success.
      if (status !== 200) expect(status).toBeGreaterThanOrEqual(400);
      // Only for errors of another user's server.
      if (status !== 502) expect(status).toBeLessThan(500);
    }
  });

  test('Answers before the gateway times out', () => {
    expect(endpoint.timeoutSeconds ?? 0).toBeLessThan(30);
  });

  test('Changes nothing by GET, except for a poll, which keeps its queue alive, and a search whose answer is cached', () => {
    const isGet = endpoint.route.startsWith('GET ');
    const writes = endpoint.uses.table === 'write';
    if (isGet && name !== 'getEvents' && name !== 'findGifs') expect(writes).toBe(false);
    if (endpoint.emits.length > 0) expect(writes).toBe(true);
  });
});

describe('The registry', () => {
  test('Has every endpoint that a file describes', () => {
    const names = registry.map(([name]) => toKebab(name)).sort();
    expect(functionFiles.map((file) => basename(file, '.ts')).sort()).toEqual(names);
  });

  test('Has every route once, whatever the names of its parameters', () => {
    const routes = registry.map(([, endpoint]) => gatewayRouteOf(endpoint).replace(/\{\w+\+?\}/g, '{}'));
    expect(new Set(routes).size).toBe(routes.length);
    // API Gateway refuses a route that ends in a slash; the router ignores one of a request.
    for (const route of routes)
      expect(route).toMatch(/^(GET|POST|PUT|PATCH|DELETE) (\/(\{\}|[a-z\d_.-]+))+$/);
  });

  test('Has no other POST for the method parameter: API Gateway has no route for it', () => {
    const declared = registry.map(([, endpoint]) => gatewayRouteOf(endpoint));
    const postsAt = createMethodFinder(declared.filter((route) => route.startsWith('POST ')));
    for (const [path, ofPath] of Map.groupBy(declared, (route) => route.slice(route.indexOf('/'))))
      if (findPostTarget(ofPath)) expect(postsAt(path), path).toEqual([]);
  });

  test('Names the parameters of a path alike for every method: one path of the API is one template', () => {
    const templates = new Set(registry.map(([, { route }]) => route.slice(route.indexOf('/'))));
    const shapes = [...templates].map((path) => path.replace(/\{\w+\+?\}/g, '{}'));
    expect(shapes.filter((shape, index) => shapes.indexOf(shape) !== index)).toEqual([]);
  });

  test('Emits every event of the catalogue somewhere', () => {
    const emitted = new Set([...OF_WORKERS, ...registry.flatMap(([, { emits }]) => emits)]);
    expect(eventTypes.filter((type) => !emitted.has(type))).toEqual([]);
  });
});

/** Only some owners may change addresses, so the sample leaves it out. */
const NEW_ADDRESS = 'moved@example.com';

describe('The declared services of an endpoint', async () => {
  const service = await startTestService({}, { ownerMayChangeEmails: true });
  const world = await createWorld(service);
  await addPhone(service, world.caller);

  // The services of an agent's call depend on its tool; the tools call operations that are tested here.
  test.each(registry.filter(([name]) => name !== 'answerMcp'))(
    'Cover exactly the calls and events of %s',
    async (name, endpoint) => {
      const params = {
        ...(await samples[name](world)),
        ...(name === 'editUser' && { new_email: NEW_ADDRESS }),
      };
      const { services, used, emitted } = record(service.services);
      const reply = await lambda(
        endpoint,
        () => services,
      )(toGatewayEvent(endpoint, params, world.caller.authorization));
      expect(reply.statusCode, reply.body).toBe(successOf(endpoint));
      await restoreCaller(world);

      const { table, scheduler, bus, mail, files, images, secret, jsonWebTokens } = endpoint.uses;
      const authenticates = endpoint.allow !== 'anyone';
      expect({ ...describeUse(used) }).toEqual({
        table: table === 'none' && authenticates ? 'read' : table,
        scheduler: scheduler ?? false,
        bus: bus ?? false,
        mail: mail ?? false,
        // A sample need not read its own writes.
        files: (files === 'readAndWrite' ? 'write' : files) ?? 'none',
        images: images ?? false,
        // The key that a token fetches is derived from the secret.
        secret: secret ?? jsonWebTokens ?? false,
      });
      emitted.delete(INTERNAL_QUEUE_REMOVED);
      emitted.delete(INTERNAL_KEY_ENDED);
      emitted.delete(INTERNAL_SESSION_ENDED);
      expect(endpoint.emits).toEqual(expect.arrayContaining([...emitted]));
    },
  );
});

const describeUse = (used: Set<string>) => ({
  table: used.has('table write') ? 'write' : used.has('table read') ? 'read' : 'none',
  scheduler: used.has('scheduler'),
  bus: used.has('bus'),
  mail: used.has('mail'),
  images: used.has('images'),
  files: used.has('files write') ? 'write' : used.has('files read') ? 'read' : 'none',
  secret: used.has('secret'),
});
