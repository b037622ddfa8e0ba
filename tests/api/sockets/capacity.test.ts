import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { createChannel, createUsers, type TestChannel } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { TestSocket, withSocket } from './test-socket.ts';

const SOCKETS = 100;
const NAMES = Array.from({ length: 9 }, (_, n) => `Person ${n}`);

describe.each([
  // Two looks at the log, and at the organization.
  ['in the memory of the process', false, { read: 1.5, write: 0 }],
  // The place of the pusher, and all connections, of which ten make a unit.
  ['in the table, as on AWS', true, { read: 12.5, write: 2 }],
])('A hundred sockets whose connections are kept %s', (_where, isInTable, extra) => {
  let service: TestService;
  let people: [Client, ...Client[]];
  let room: TestChannel;
  const sockets: TestSocket[] = [];

  beforeAll(async () => {
    service = await startTestService({}, { sockets: { isInTable } });
    people = await createUsers(service, 'Ada', ...NAMES);
    room = await createChannel(service, people);
    await service.settle();
    for (let n = 0; n < SOCKETS; n++)
      sockets.push(await TestSocket.open(await withSocket(people[n % people.length] as Client)));
  });
  afterAll(() => service.stop());

  const send = () => people[0].send(room.channelId, 'topic', 'hello');
  const untilAllTold = async (count: number) => {
    for (const socket of sockets)
      await socket.until(() => socket.events.filter(({ type }) => type === 'message').length === count);
    // What follows from the last text.
    await pause(100);
  };
  const units = () => ({ read: service.meter.read, write: service.meter.write });

  test('ask nothing of the table while nothing happens', async () => {
    service.meter.reset();
    await pause(1_500);
    expect(units()).toEqual({ read: 0, write: 0 });
  });

  test('are told of a message for a few units in all', async () => {
    await send();
    await untilAllTold(1);
    service.meter.reset();
    await send();
    await untilAllTold(2);
    const all = units();
    // Those that are gone are found by the next message.
    for (const socket of sockets) socket.kill();
    await send();
    await pause(500);
    service.meter.reset();
    await send();
    await pause(100);
    const alone = units();
    expect(all.write - alone.write).toBe(extra.write);
    expect(all.read - alone.read).toBeLessThanOrEqual(extra.read);
  });
});
