import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Metrics } from '#infra/local/metrics/metrics.ts';
import { bookUnits } from '#infra/local/metrics/units.ts';
import { dollarsOf, dollarsOfCalls } from '#infra/prices.ts';
import type { HttpEvent } from '#shared/api/http.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService({}, { showsUnits: true });

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

describe('The local service', () => {
  test('Returns in each answer the consumed units if turned on, and at /metrics the sum', async () => {
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

  test('Hides consumed units by default, since a secret may consume more', async () => {
    const usual = await startTestService();
    const { headers } = await usual.owner.get('/users/me');
    expect([...headers].filter(([name]) => name.startsWith('x-consumed'))).toEqual([]);
  });

  test('Counts each of two simultaneous requests separately', async () => {
    const readUnitsOf = async (path: string) => {
      const reply = await get(`/api/v1${path}`, { authorization: authorization() });
      return Number(reply.headers.get('x-consumed-read-units'));
    };
    const alone = [await readUnitsOf('/users/me'), await readUnitsOf('/users/me/subscriptions')];
    expect(await Promise.all([readUnitsOf('/users/me'), readUnitsOf('/users/me/subscriptions')])).toEqual(
      alone,
    );
  });

  test('Reports how long after its append a waiting poll saw an event, without names', async () => {
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

describe('The metrics', () => {
  const event = (sourceIp: string, headers: Record<string, string> = {}) =>
    ({
      rawPath: '/metrics',
      headers,
      requestContext: { http: { method: 'GET', sourceIp } },
    }) as unknown as HttpEvent;
  const answerTo = (...caller: Parameters<typeof event>) => new Metrics({}).answer(event(...caller));

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('Can be read by a caller at %s', async (address) => {
    expect((await answerTo(address))?.statusCode).toBe(200);
  });

  test.each(['10.0.0.7', '192.168.1.5', '::ffff:10.0.0.7', 'fe80::1', ''])(
    'Cannot be read by a caller at %j',
    async (address) => {
      expect(await answerTo(address)).toBeUndefined();
    },
  );

  test('Cannot be read through a proxy of this machine', async () => {
    expect(await answerTo('127.0.0.1', { 'x-forwarded-for': '203.0.113.9' })).toBeUndefined();
    expect(await answerTo('127.0.0.1', { forwarded: 'for=203.0.113.9' })).toBeUndefined();
  });

  test('Give in seconds how long an entry waited until a poll saw it', async () => {
    const metrics = new Metrics({});
    metrics.noteSeen(2_000_000);
    metrics.noteSeen(-1);
    const seen = (await metrics.answer(event('127.0.0.1')))?.body;
    expect(figure(String(seen), 'team_chat_append_to_seen_seconds_sum')).toBe(2_000);
  });

  test('Answer GET only, at their own path, and are not cached', async () => {
    const { headers } = (await answerTo('127.0.0.1')) ?? {};
    expect(headers).toEqual({
      'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
      'Cache-Control': 'no-store',
    });
    const other = (change: object) =>
      new Metrics({}).answer({ ...event('127.0.0.1'), ...change } as unknown as HttpEvent);
    expect(await other({ rawPath: '/metrics/' })).toBeUndefined();
    expect(
      await other({ requestContext: { http: { method: 'POST', sourceIp: '127.0.0.1' } } }),
    ).toBeUndefined();
  });

  test('Give for each run its result, its use and its cost with its memory', async () => {
    const metrics = new Metrics({ poll: { memoryMegabytes: 1024 } } as never);
    const around = metrics.around(undefined, { showsUnits: true });
    const page = async () => String((await metrics.answer(event('127.0.0.1')))?.body);
    const reply = { statusCode: 201, headers: { a: 'b' }, body: '' };
    const spend = async () => bookUnits({ read: 8, write: 4 });
    const answered = await around('poll', async () => {
      expect(figure(await page(), 'team_chat_running{operation="poll"}')).toBe(1);
      await spend();
      return reply;
    });
    expect(answered).toEqual({
      ...reply,
      headers: { a: 'b', 'X-Consumed-Read-Units': '8', 'X-Consumed-Write-Units': '4' },
    });
    await around('run-job', spend);
    await expect(around('broken', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    const text = await page();
    for (const run of ['operation="poll",status="201"', 'operation="run-job",status="done"'])
      expect(figure(text, `team_chat_runs_total{${run}}`)).toBe(1);
    expect(figure(text, 'team_chat_runs_total{operation="broken",status="failed"}')).toBe(1);
    expect(figure(text, 'team_chat_running{operation="broken"}')).toBe(0);
    expect(figure(text, 'team_chat_capacity_units_total{operation="poll",kind="read"}')).toBe(8);
    expect(figure(text, 'team_chat_capacity_units_total{operation="run-job",kind="write"}')).toBe(4);
    const units = dollarsOf({ read: 8, write: 4 });
    for (const [operation, gigabytes] of [
      ['poll', 1],
      ['run-job', 0.5],
    ] as const) {
      const seconds = figure(text, `team_chat_run_seconds_sum{operation="${operation}"}`);
      const dollars = figure(text, `team_chat_aws_dollars_total{operation="${operation}"}`);
      expect(dollars).toBeCloseTo(units + dollarsOfCalls(1, gigabytes * seconds), 15);
    }
    for (const bound of ['0.005', '0.01', '0.025', '0.05', '0.1', '0.25', '0.5', '1', '2.5', '5', '10', '30'])
      expect(text).toContain(`team_chat_run_seconds_bucket{le="${bound}",operation="poll"} `);
    for (const name of ['runs_total', 'running', 'run_seconds', 'capacity_units_total', 'aws_dollars_total'])
      expect(text).toContain(`# HELP team_chat_${name} `);
  });

  test('Give a caller no consumed units unless it is turned on', async () => {
    const reply = { statusCode: 200, headers: {}, body: '' };
    expect(await new Metrics({}).around()('any', async () => reply)).toBe(reply);
  });

  test('Give the time since the end of the last sweep', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const metrics = new Metrics({});
    const age = async () =>
      figure(String((await metrics.answer(event('127.0.0.1')))?.body), 'team_chat_sweep_age_seconds');
    vi.advanceTimersByTime(90_000);
    await metrics.around()('any', async () => undefined);
    expect(await age()).toBe(90);
    await metrics.around()('sweep', async () => undefined);
    expect(await age()).toBe(0);
    vi.advanceTimersByTime(1_000);
    expect(await age()).toBe(1);
  });
});
