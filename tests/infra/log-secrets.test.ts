import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import { startService } from '#infra/local/start.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { gatewayRouteOf } from '#shared/api/route.ts';
import { callAs, toText } from '#tests/conformance/requests.ts';
import { samples } from '#tests/conformance/samples/samples.ts';
import { createWorld, noDevices, restoreCaller } from '#tests/conformance/world.ts';
import { QUICK_PASSWORDS } from '#tests/harness/quick-passwords.ts';
import { Meter, noRequestLimits, PASSWORD, TestService } from '#tests/harness/service.ts';

type Name = keyof typeof endpoints;
const registry = Object.entries(endpoints) as [Name, AnyEndpoint][];
const PLANTED = 'planted-where-no-line-may-show-it';
const SECRET = randomUUID();
/** Texts and secrets that callers send; shorter ones may be in a line by chance. */
const TELLING = /content|password|key|token|secret|text|bio|description|query|narrow|email/;
const MIN_LENGTH = 9;

const started = await startService({
  port: 0,
  secret: SECRET,
  ownerPassword: PASSWORD,
  sweepIntervalMs: null,
  config: {
    accessLog: true,
    pollHoldMs: 10,
    requestLimits: noRequestLimits,
    passwordCost: QUICK_PASSWORDS,
    ...noDevices,
  },
});
const service = new TestService(started, new Meter());
const world = await createWorld(service);

test('No line of the log shows a password, a key, a token or a text, for any call and failure', async () => {
  let output = '';
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      output += chunk;
      return true;
    });
  const sent = new Set([PLANTED, PASSWORD, SECRET, service.service.owner.apiKey]);
  for (const [name, endpoint] of registry) {
    const params = await samples[name](world);
    for (const [parameter, value] of Object.entries(params))
      if (TELLING.test(parameter) && toText(value).length >= MIN_LENGTH) sent.add(toText(value));
    const { authorization } = world.caller;
    sent.add(authorization.slice('Basic '.length));
    await callAs(service.url, endpoint, { ...params, surprise: PLANTED }, authorization);
    await restoreCaller(world);
    // Refused: without the parameters that it needs, and with a key that is none.
    await callAs(service.url, endpoint, { surprise: PLANTED }, world.caller.authorization);
    const wrong = `Basic ${Buffer.from(`stranger@example.com:${PLANTED}`).toString('base64')}`;
    await callAs(service.url, endpoint, { surprise: PLANTED }, wrong);
    sent.add(wrong.slice('Basic '.length));
    await restoreCaller(world);
  }
  vi.restoreAllMocks();
  const lines = output.split('\n').filter((line) => line.startsWith('{'));
  const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const requests = logged.filter(({ message }) => message === 'A request');
  for (const [name, endpoint] of registry)
    expect(
      requests.filter(({ route }) => route === gatewayRouteOf(endpoint)).length,
      name,
    ).toBeGreaterThanOrEqual(3);
  for (const { requestId, address, durationMs, readUnits, writeUnits } of requests.filter(
    ({ route }) => route !== '$default',
  )) {
    expect({ requestId, address }).toEqual({ requestId: expect.any(String), address: expect.any(String) });
    for (const figure of [durationMs, readUnits, writeUnits]) expect(figure).toBeGreaterThanOrEqual(0);
  }
  const shown = [...sent].filter((secret) => lines.some((line) => line.includes(secret)));
  expect(shown).toEqual([]);
});
