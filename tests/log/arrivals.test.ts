import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SETTLING_MS } from '#shared/store/log/rewriting.ts';
import { arrivalWrites, listArrivedIds } from '#shared/store/topics/arrivals.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

const CHANNEL = 7;
/** More than two pages. */
const MOVES = 45;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const arrive = async (position: number, topic: string, messageIds: number[], atMs: number) => {
  const messages = messageIds.map((messageId) => ({ messageId }));
  const writes = arrivalWrites({ channelId: CHANNEL, topic }, messages, position, atMs);
  await service.services.table.transact(writes, randomUUID());
};
const ascending = (ids: number[]) => ids.toSorted((a, b) => a - b);

test('every recent move to a channel is known, however many there were', async () => {
  const { services } = service;
  const nowMs = services.clock.nowMs();
  for (let position = 1; position <= MOVES; position++)
    await arrive(position, position % 2 ? 'Odd' : 'even', [position, 1_000 + position], nowMs);
  const positions = Array.from({ length: MOVES }, (_, index) => index + 1);
  const all = (some: number[]) => ascending(some.flatMap((position) => [position, 1_000 + position]));
  const here = { channelId: CHANNEL };
  expect(ascending(await listArrivedIds(services, here))).toEqual(all(positions));
  const odd = all(positions.filter((position) => position % 2 === 1));
  for (const topic of ['odd', 'ODD'])
    expect(ascending(await listArrivedIds(services, { ...here, topic }))).toEqual(odd);
  expect(await listArrivedIds(services, { ...here, topic: 'other' })).toEqual([]);
  expect(await listArrivedIds(services, { channelId: CHANNEL + 1 })).toEqual([]);
});

test('a move is forgotten as soon as the indexes certainly show it', async () => {
  const { table, clock } = service.services;
  const nowMs = clock.nowMs() + 10 * SETTLING_MS;
  const settled = nowMs - SETTLING_MS;
  await arrive(1_001, 'old', [1], settled - 1);
  await arrive(1_002, 'new', [2], settled);
  const known = (atMs: number) =>
    listArrivedIds({ table, clock: { ...clock, nowMs: () => atMs } }, { channelId: CHANNEL });
  expect(await known(nowMs - 1)).toEqual([2, 1]);
  expect(await known(nowMs)).toEqual([2]);
  expect(await known(nowMs + 1)).toEqual([]);
});
