import { expect } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import type { OperationExample } from '#infra/openapi/operation.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import type { Parameters } from '#shared/api/parameters.ts';
import type { Params, Reply } from '#tests/harness/client.ts';
import { Phone, registerPhone } from '#tests/harness/relay.ts';
import type { TestService } from '#tests/harness/service.ts';
import { numberedBytes, startSteadyService } from '#tests/harness/steady-service.ts';
import { callAs, toText } from './requests.ts';
import { samples } from './samples/samples.ts';
import { createWorld, type World } from './world.ts';

const API_KEY = 'abcdefghijklmnopqrstuvwxyz012345';

/** A world whose caller has a device that can be notified. */
export async function createWorldWithPhone(service: TestService): Promise<World> {
  const world = await createWorld(service);
  const phone = new Phone('fcm', numberedBytes('first phone', world.nextNumber));
  await registerPhone(service, world.caller, phone);
  return world;
}

/** Calls an operation with its sample. The result is the example of the document; `body` is the whole reply. */
export async function callSample(
  world: World,
  name: keyof typeof endpoints,
): Promise<{ parameters: Params; body: Reply['body']; example: OperationExample }> {
  const { service, caller } = world;
  const endpoint: AnyEndpoint = endpoints[name];
  const parameters = await samples[name](world);
  const { status, body } = await callAs(service.url, endpoint, parameters, caller.authorization);
  expect(status, JSON.stringify(body)).toBe(200);
  const example = { parameters: asSent(endpoint, parameters), reply: abridge(body) };
  return { parameters, body, example };
}

/**
 * The example of an operation, called in a world of its own: it depends on no other operation, nor on the time and
 * place of the recording.
 */
export async function recordExample(name: keyof typeof endpoints): Promise<OperationExample> {
  const service = await startSteadyService();
  try {
    const { example } = await callSample(await createWorldWithPhone(service), name);
    await service.settle();
    return example;
  } finally {
    await service.stop();
  }
}

/** Addresses on servers of the recording have another port each time. */
const ofNoPlace = (text: string): string =>
  text.replace(/^http:\/\/127\.0\.0\.1:\d{5}\//, 'https://news.example.com/');

/** Short enough to read: of long lists and texts the beginning, of keys none. */
function abridge(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 2).map(abridge);
  if (typeof value === 'string')
    return /^[A-Za-z0-9]{32}\d*$/.test(value) ? API_KEY : ofNoPlace(value).slice(0, 400);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(inOrder(value).map(([name, one]) => [name, abridge(one)]));
}

const FIRST = ['result', 'msg'];
/** The envelope first, then by name: maps of the table come back in any order. */
const inOrder = (value: object): [string, unknown][] => [
  ...FIRST.flatMap((name): [string, unknown][] =>
    name in value ? [[name, value[name as keyof typeof value]]] : [],
  ),
  ...Object.entries(value)
    .filter(([name]) => !FIRST.includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1)),
];

/** The values in the form of a client: plain text as text, everything else as JSON. */
function asSent({ params }: AnyEndpoint, parameters: Params): Record<string, unknown> {
  const sent = Object.entries(parameters).map(([name, value]) => [
    name,
    (params as Parameters)[name]?.encoding === 'text' ? ofNoPlace(toText(value)) : value,
  ]);
  return JSON.parse(JSON.stringify(Object.fromEntries(sent)));
}
