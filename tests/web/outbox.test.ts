import { expect, test } from 'vitest';
import {
  afterFailure,
  allDue,
  duePending,
  nextDueMs,
  type Pending,
  takenOver,
} from '#web/state/feed/outbox.ts';
import type { Conversation } from '#web/state/narrow.ts';

const logo: Conversation = { type: 'stream', channelId: 9, topic: 'logo' };
const print: Conversation = { type: 'stream', channelId: 9, topic: 'print' };

const pending = (id: string, fields: Partial<Pending> = {}): Pending => ({
  ...{ id, idempotencyKey: `key of ${id}`, queueId: 'queue', localId: '7.01', userId: 1 },
  ...{ conversation: logo, content: 'text', timestamp: 1_000, status: 'waiting', failures: 0 },
  ...fields,
});
const idsOf = (list: Pending[]): string[] => list.map(({ id }) => id);

test('Messages of one conversation are sent one after another, and conversations do not wait for each other', () => {
  const outbox = [pending('a'), pending('b'), pending('c', { conversation: print })];
  expect(idsOf(duePending(outbox, 0))).toEqual(['a', 'c']);
  const isOnItsWay = [pending('a', { status: 'sending' }), pending('b')];
  expect(duePending(isOnItsWay, 0)).toEqual([]);
  expect(idsOf(duePending([pending('a', { status: 'sent' }), pending('b')], 0))).toEqual(['b']);
});

test('A refused message lets later ones of its conversation pass, and a waiting one holds them back', () => {
  expect(idsOf(duePending([pending('a', { status: 'failed' }), pending('b')], 0))).toEqual(['b']);
  const outbox = [pending('a', { nextTryAtMs: 500 }), pending('b')];
  expect(duePending(outbox, 0)).toEqual([]);
  expect(nextDueMs(outbox)).toBe(500);
  expect(idsOf(duePending(outbox, 500))).toEqual(['a']);
  const failedLater = pending('c', { status: 'failed', nextTryAtMs: 100 });
  expect(nextDueMs([failedLater, ...outbox, pending('d', { nextTryAtMs: 600 })])).toBe(500);
});

test('A message without an answer waits ever longer, keeps its key and never fails by itself', () => {
  let tried = pending('a');
  const pauses: number[] = [];
  for (let round = 0; round < 40; round += 1) {
    tried = afterFailure(tried, { kind: 'unreachable' }, 0, 1);
    pauses.push(tried.nextTryAtMs ?? 0);
  }
  expect(pauses.slice(0, 6)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 20_000]);
  expect(pauses.at(-1)).toBe(20_000);
  const { idempotencyKey, queueId, localId } = pending('a');
  expect(tried).toMatchObject({ status: 'waiting', idempotencyKey, queueId, localId });
});

test('A message with a failed attempt waits, whatever it did before', () => {
  const sending = pending('a', { status: 'sending' });
  for (const kind of ['unreachable', 'broken', 'signed-out'] as const)
    expect(afterFailure(sending, { kind }, 0, 0)).toMatchObject({ status: 'waiting', failures: 1 });
});

test('A message waits as long as the service requests, and fails if it is refused', () => {
  expect(afterFailure(pending('a'), { kind: 'busy', pauseMs: 42_000 }, 1_000, 0).nextTryAtMs).toBe(43_000);
  const refused = afterFailure(pending('a', { nextTryAtMs: 5 }), { kind: 'refused', reason: 'No.' }, 0, 0);
  expect(refused).toMatchObject({ status: 'failed', reason: 'No.', failures: 1 });
  expect(refused).not.toHaveProperty('nextTryAtMs');
});

test('A message stays after several failures of the service, without further attempts', () => {
  let tried = pending('a');
  let tries = 0;
  for (; tried.status === 'waiting'; tries += 1) tried = afterFailure(tried, { kind: 'broken' }, 0, 1);
  expect(tries).toBe(8);
  expect(tried).toMatchObject({ status: 'failed', content: 'text', idempotencyKey: 'key of a', failures: 8 });
});

test('Every message is due when the connection returns, even one that waited for signing in', () => {
  const waiting = afterFailure(pending('a'), { kind: 'signed-out' }, 0, 0);
  expect(nextDueMs([waiting])).toBeUndefined();
  expect(idsOf(duePending([...allDue([waiting])], 0))).toEqual(['a']);
});

test('A message of a closed page is sent if it is young, and otherwise waits for the viewer', () => {
  const left = pending('a', { status: 'sending', nextTryAtMs: 9, failures: 3 });
  expect(takenOver(left, 1_060_000)).toMatchObject({ status: 'waiting', failures: 0 });
  expect(takenOver(left, 1_060_000)).not.toHaveProperty('nextTryAtMs');
  expect(takenOver(left, 1_599_999)).toMatchObject({ status: 'waiting' });
  expect(takenOver(left, 1_600_000)).toMatchObject({ status: 'failed', content: 'text' });
  const refused = pending('b', { status: 'failed', failures: 3 });
  expect(takenOver(refused, 1_060_000)).toBe(refused);
});
