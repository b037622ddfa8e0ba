import { beforeEach, expect, test } from 'vitest';
import type { Services } from '#shared/runtime/services.ts';
import { readCounter } from '#shared/store/log/log.ts';
import { takePosition } from '#tests/harness/log.ts';
import { startTestService } from '#tests/harness/service.ts';
import { FakeSockets } from './fake-sockets.ts';
import { withSocket } from './test-socket.ts';

const PERSON_LIMIT = 2;

let sockets: FakeSockets;
let nowMs: number;
let services: Services;
const service = await startTestService({ pollLimits: { person: PERSON_LIMIT, botsOfOwner: 6 } });
const ada = await service.createUser('Ada');
beforeEach(() => {
  sockets = new FakeSockets();
  const { clock } = service.services;
  nowMs = clock.nowMs();
  services = { ...service.services, sockets, clock: { ...clock, nowMs: () => nowMs } };
});

test('The later of two simultaneous sockets of a queue stays', async () => {
  const queue = await withSocket(ada);
  await sockets.open(services, 'first', queue);
  await sockets.open(services, 'second', queue);
  expect(sockets.ended).toEqual(['first']);
});

test('A socket that was opened while another one of its queue was being opened stays', async () => {
  const queue = await withSocket(ada);
  nowMs += 5;
  await sockets.open(services, 'late', queue);
  nowMs -= 5;
  await sockets.open(services, 'early', queue);
  expect(sockets.ended).toEqual([]);
});

test('A socket that is opened right before or after a hole gets nothing beyond it', async () => {
  const queue = await withSocket(ada);
  const before = await readCounter(services.table);
  await takePosition(services);
  await ada.sendDirect([ada.userId], 'beyond');
  await sockets.open(services, 'at the hole', queue);
  expect(sockets.texts.get('at the hole')).toEqual([{ op: 'opened', position: before, events: [] }]);
});
