import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Metrics } from '#infra/local/metrics/metrics.ts';
import { Histogram, Series } from '#infra/local/metrics/text-format.ts';
import type { HttpEvent } from '#shared/api/http.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({}, { showsUnits: true });
});
afterAll(() => service.stop());

const authorization = () => {
  const { email, apiKey } = service.service.owner;
  return `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`;
};
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}${path}`, { headers });
const figure = (page: string, name: string): number =>
  Number(
    page
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')
      .at(-1),
  );

describe('the local service', () => {
  test('says in each answer what the request consumed where that is wanted, and at /metrics what all of them did', async () => {
    const before = await (await get('/metrics')).text();
    service.meter.reset();
    const reply = await get('/api/v1/users/me', { authorization: authorization() });
    const read = Number(reply.headers.get('x-consumed-read-units'));
    expect(read).toBeGreaterThan(0);
    expect(read).toBe(service.meter.read);
    expect(Number(reply.headers.get('x-consumed-write-units'))).toBe(service.meter.write);
    const page = await get('/metrics');
    expect(page.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const text = await page.text();
    const grown = (name: string) => figure(text, name) - (figure(before, name) || 0);
    expect(grown('team_chat_runs_total{operation="getOwnUser",status="200"}')).toBe(1);
    expect(grown('team_chat_run_seconds_count{operation="getOwnUser"}')).toBe(1);
    expect(grown('team_chat_capacity_units_total{operation="getOwnUser",kind="read"}')).toBe(read);
    expect(grown('team_chat_aws_dollars_total{operation="getOwnUser"}')).toBeGreaterThan(0);
    expect(figure(text, 'team_chat_running{operation="getOwnUser"}')).toBe(0);
    expect(figure(text, 'team_chat_sweep_age_seconds')).toBeGreaterThanOrEqual(0);
  });

  test('tells no caller what a request consumed unless that is wanted, since a secret may consume more', async () => {
    const usual = await startTestService();
    const { headers } = await usual.owner.get('/users/me');
    await usual.stop();
    expect([...headers].filter(([name]) => name.startsWith('x-consumed'))).toEqual([]);
  });

  test('counts each of two requests at once by itself', async () => {
    const ask = async (path: string) => {
      const reply = await get(`/api/v1${path}`, { authorization: authorization() });
      return Number(reply.headers.get('x-consumed-read-units'));
    };
    const alone = [await ask('/users/me'), await ask('/users/me/subscriptions')];
    expect(await Promise.all([ask('/users/me'), ask('/users/me/subscriptions')])).toEqual(alone);
  });

  test('tells how long after its append a waiting poll saw an event, and of no one by name', async () => {
    const { owner } = service;
    const queue = await owner.register({ event_types: ['message'] });
    const polling = queue.poll();
    await service.untilHeld(queue);
    const secret = 'a text that is for its readers alone';
    await owner.sendDirect([service.service.owner.userId], secret);
    await polling;
    const text = await (await get('/metrics')).text();
    expect(figure(text, 'team_chat_append_to_seen_seconds_count')).toBeGreaterThan(0);
    for (const hidden of [secret, service.service.owner.email, service.service.owner.apiKey, queue.queueId])
      expect(text).not.toContain(hidden);
  });
});

describe('the figures', () => {
  const event = (sourceIp: string, headers: Record<string, string> = {}) =>
    ({
      rawPath: '/metrics',
      headers,
      requestContext: { http: { method: 'GET', sourceIp } },
    }) as unknown as HttpEvent;
  const asks = (...caller: Parameters<typeof event>) => new Metrics({}).answer(event(...caller));

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('are for a caller at %s', (address) => {
    expect(asks(address)?.statusCode).toBe(200);
  });

  test.each(['10.0.0.7', '192.168.1.5', '::ffff:10.0.0.7', 'fe80::1', ''])(
    'are not for a caller at %j',
    (address) => {
      expect(asks(address)).toBeUndefined();
    },
  );

  test('are not for callers who came through a proxy of this machine', () => {
    expect(asks('127.0.0.1', { 'x-forwarded-for': '203.0.113.9' })).toBeUndefined();
    expect(asks('127.0.0.1', { forwarded: 'for=203.0.113.9' })).toBeUndefined();
  });

  test('tell in seconds how long an entry waited until a poll saw it', () => {
    const metrics = new Metrics({});
    metrics.noteSeen(2_000_000);
    metrics.noteSeen(-1);
    const seen = metrics.answer(event('127.0.0.1'))?.body;
    expect(figure(String(seen), 'team_chat_append_to_seen_seconds_sum')).toBe(2_000);
  });

  test('are written as the text format of Prometheus says', () => {
    const series = new Series('a_total', 'counter', 'Help.');
    series.add({ name: 'a "quoted"\\\n' }, 1);
    series.add({ name: 'a "quoted"\\\n' }, 2);
    expect(series.describe()).toBe(
      '# HELP a_total Help.\n# TYPE a_total counter\na_total{name="a \\"quoted\\"\\\\\\n"} 3\n',
    );
    const histogram = new Histogram('b_seconds', 'Help.', [1, 10]);
    for (const value of [0.5, 1, 5, 50]) histogram.observe({}, value);
    expect(histogram.describe()).toBe(
      '# HELP b_seconds Help.\n# TYPE b_seconds histogram\nb_seconds_bucket{le="1"} 2\nb_seconds_bucket{le="10"} 3\n' +
        'b_seconds_bucket{le="+Inf"} 4\nb_seconds_sum 56.5\nb_seconds_count 4\n',
    );
  });
});
