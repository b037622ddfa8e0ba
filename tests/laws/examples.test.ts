import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import type { OperationExample } from '#infra/openapi/operation.ts';
import { EXAMPLES_FILE, readExamples } from '#infra/openapi/service-document.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import type { Parameters } from '#shared/api/parameters.ts';
import type { Params } from '#tests/harness/client.ts';
import { addPhone } from '#tests/harness/relay.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { answersJson, callAs, toText } from './requests.ts';
import { samples } from './samples.ts';
import { createWorld, restoreCaller, type World } from './world.ts';

/** In this mode what is called here becomes the examples of the document. */
const isRecording = process.env.MODE === 'record';
const registry = (Object.entries(endpoints) as [keyof typeof endpoints, AnyEndpoint][]).filter(
  ([, endpoint]) => answersJson(endpoint),
);
const recorded: Record<string, OperationExample> = {};
const examples = readExamples();
const API_KEY = 'abcdefghijklmnopqrstuvwxyz012345';

let service: TestService;
let world: World;

beforeAll(async () => {
  service = await startTestService();
  world = await createWorld(service);
  await addPhone(service, world.caller);
});
afterAll(async () => {
  await service.stop();
  if (isRecording) writeFileSync(EXAMPLES_FILE, `${JSON.stringify(recorded, null, 1)}\n`);
});

/** Short enough to read: of long lists and texts the beginning, of keys none. */
function abridge(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 2).map(abridge);
  if (typeof value === 'string') return /^[A-Za-z0-9]{32}\d*$/.test(value) ? API_KEY : value.slice(0, 400);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, abridge(one)]));
}

/** The values as a client writes them: what is plain text as text, everything else as JSON. */
function asSent({ params }: AnyEndpoint, parameters: Params): Record<string, unknown> {
  const sent = Object.entries(parameters).map(([name, value]) => [
    name,
    (params as Parameters)[name]?.encoding === 'text' ? toText(value) : value,
  ]);
  return JSON.parse(JSON.stringify(Object.fromEntries(sent)));
}

describe.each(registry.filter(([, one]) => answersJson(one)))('%s', (name, endpoint) => {
  test('answers its example as the document shows it', async () => {
    const parameters = await samples[name](world);
    const { status, body } = await callAs(service.url, endpoint, parameters, world.caller.authorization);
    expect(status, JSON.stringify(body)).toBe(200);
    recorded[name] = { parameters: asSent(endpoint, parameters), reply: abridge(body) };
    const shown = isRecording ? recorded[name] : examples[name];
    expect(Object.keys(shown?.parameters ?? {})).toEqual(Object.keys(parameters));
    expect(Object.keys(shown?.reply ?? {}).sort()).toEqual(Object.keys(body).sort());
    await service.settle();
    await restoreCaller(world);
  });
});
