import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import { startService } from '#infra/local/start.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { mcpReply } from '#shared/api/mcp/reply.ts';
import { pageOrAddress } from '#shared/api/replies.ts';
import { SqliteTable } from '#shared/table/sqlite/sqlite-table.ts';
import { sendTo } from '#tests/harness/anonymous.ts';
import type { Params, Reply } from '#tests/harness/client.ts';
import { QUICK_PASSWORDS } from '#tests/harness/quick-passwords.ts';
import { Meter, noRequestLimits, PASSWORD, TestService } from '#tests/harness/service.ts';
import { answersJson, encodeAll, pathParametersOf, successOf, toBody, toWire } from './requests.ts';
import { samples } from './samples/samples.ts';
import { dumpTable } from './table-dump.ts';
import { createWorld, noDevices, restoreCaller } from './world.ts';

type Name = keyof typeof endpoints;
const registry = Object.entries(endpoints) as [Name, AnyEndpoint][];
/** How often every parameter of every endpoint is tried. */
const RUNS = 3;
/** Node's size limit for the head of a request, with room for the rest of it. */
const MAX_QUERY = 12_000;

let table: SqliteTable;

const meter = new Meter();
const started = await startService({
  port: 0,
  secret: randomUUID(),
  ownerPassword: PASSWORD,
  sweepIntervalMs: null,
  config: { pollHoldMs: 10, requestLimits: noRequestLimits, passwordCost: QUICK_PASSWORDS, ...noDevices },
  openTable(meter) {
    table = new SqliteTable({ meter });
    return table;
  },
  meter: ({ read, write }) => {
    meter.read += read;
    meter.write += write;
  },
});
const service = new TestService(started, meter);
const world = await createWorld(service);

const nested = (open: string, close: string, depth: number): string =>
  open.repeat(depth) + close.repeat(depth);

/** Values, already percent-encoded, that have brought services down before. */
const notorious = [
  '',
  '%00',
  'a%00b',
  '%22%00%22',
  '%ED%A0%80',
  '%FF%FE',
  '%',
  ...[
    'null',
    '-0',
    '-1',
    '0',
    '1e400',
    '9007199254740993',
    '2147483648',
    '-99999999999999999999',
    'NaN',
    '"\\ud800"',
    '["\\u0000"]',
    '[{"__proto__":{"name":"x"}}]',
    '{"__proto__":[],"constructor":{"prototype":1},"toString":null}',
    '__proto__',
    'constructor',
    '[null]',
    '[[]]',
    '[{}]',
    '[[1,2]]',
    '[9007199254740991,-1,0]',
    '{}',
    nested('[', ']', 1500),
    nested('{"name":', '}', 500).replace('}', '1}'),
    ' ',
    '\u202e\ufeff\u200b',
    '../../etc/passwd',
    '{{7*7}}',
    '\r\nSet-Cookie: a=b',
    '<script>alert(1)</script>',
    'A'.repeat(11_000),
  ].map(encodeURIComponent),
];

const hostile = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...notorious) },
  fc.string({ unit: 'binary' }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.json().map(encodeURIComponent),
  fc.array(fc.anything({ withNullPrototype: true, maxDepth: 2 }), { maxLength: 4 }).map(asJson),
  fc.maxSafeInteger().map(String),
  fc.uint8Array({ maxLength: 30 }).map((bytes) => [...bytes].map((byte) => `%${byte.toString(16)}`).join('')),
);

function asJson(value: unknown): string {
  return encodeURIComponent(JSON.stringify(value)?.toWellFormed() ?? 'undefined');
}

async function call(endpoint: AnyEndpoint, encoded: Record<string, string>): Promise<Reply> {
  const { method, path, form } = toWire(endpoint, encoded);
  const isQuery = method === 'GET';
  const { contentType, bytes } = toBody(endpoint, form);
  return sendTo(service.url + (isQuery ? `${path}?${form}`.slice(0, MAX_QUERY) : path), {
    method,
    headers: {
      authorization: world.caller.authorization,
      ...(!isQuery && { 'content-type': contentType }),
    },
    ...(!isQuery && { body: new Uint8Array(bytes) }),
  });
}

/** The sample for a successful call, until one succeeds: most are refused, and preparing them takes requests. */
const unspent = new Map<Name, Promise<Params>>();
function prepare(name: Name): Promise<Params> {
  const made = unspent.get(name) ?? Promise.resolve(samples[name](world));
  unspent.set(name, made);
  return made;
}

/** The rule: an answer in the envelope, never a 5xx, and whatever is refused changed nothing. */
async function expectSurvival(name: Name, endpoint: AnyEndpoint, hostileParams: Record<string, string>) {
  const encoded = { ...encodeAll(await prepare(name)), ...hostileParams };
  await service.settle();
  service.meter.reset();
  const { status, body } = await call(endpoint, encoded);
  expect(status, JSON.stringify(body)).toBeLessThan(500);
  const isSuccess = status === successOf(endpoint);
  // Refusals of a message are answered in the envelope of the agents' protocol.
  const isOfProtocol =
    (endpoint.result === mcpReply && body?.jsonrpc === '2.0') ||
    // A program gets the reason of a refusal.
    (endpoint.result === pageOrAddress && status === 302);
  if (!isOfProtocol && (!isSuccess || answersJson(endpoint)))
    expect(body).toMatchObject({ result: isSuccess ? 'success' : 'error', msg: expect.any(String) });
  await service.settle();
  if (isSuccess && service.meter.write > 0) {
    unspent.clear();
    await restoreCaller(world);
  } else if (service.meter.write > 0) await expectNoTrace(endpoint, encoded);
}

/** A refusal that wrote something is repeated, with a look at the table before and after. */
async function expectNoTrace(endpoint: AnyEndpoint, encoded: Record<string, string>): Promise<void> {
  const before = await dumpTable(table);
  expect((await call(endpoint, encoded)).status).not.toBe(successOf(endpoint));
  await service.settle();
  expect(await dumpTable(table)).toEqual(before);
}

describe.each(registry)('The operation %s', (name, endpoint) => {
  const inPath = pathParametersOf(endpoint);
  const parameters = Object.keys(endpoint.params);

  test.each(parameters.length > 0 ? parameters : ['nothing'])('Survives any value of %s', async (one) => {
    await fc.assert(
      fc.asyncProperty(hostile, async (value) => {
        fc.pre(!inPath.includes(one) || value !== '');
        await expectSurvival(name, endpoint, { [one]: value });
      }),
      { numRuns: RUNS },
    );
  });

  test('Survives hostile values in all of its parameters at once', async () => {
    const all = fc.record(Object.fromEntries(parameters.map((one) => [one, hostile])));
    await fc.assert(
      fc.asyncProperty(all, (values) => expectSurvival(name, endpoint, values)),
      { numRuns: RUNS },
    );
  });
});
