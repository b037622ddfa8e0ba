import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Around } from '#infra/local/around.ts';
import type { Client } from '#tests/harness/client.ts';
import { inFunction } from '#tests/harness/privilege/least-privilege.ts';
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
  let pushes = 0;
  const sockets: TestSocket[] = [];

  beforeAll(async () => {
    const around: Around = (name, run) => {
      if (name === 'push-events') pushes++;
      return inFunction(name, run);
    };
    service = await startTestService({}, { around, sockets: { isInTable } });
    people = await createUsers(service, 'Ada', ...NAMES);
    room = await createChannel(service, people);
    await service.settle();
    for (let n = 0; n < SOCKETS; n++)
      sockets.push(await TestSocket.open(await withSocket(people[n % people.length] as Client)));
  });

  const send = () => people[0].send(room.channelId, 'topic', 'hello');
  const untilAllTold = async (count: number) => {
    for (const socket of sockets)
      await socket.until(() => socket.events.filter(({ type }) => type === 'message').length === count);
    // The consequences of the last text.
    await service.rest();
  };
  const units = () => ({ read: service.meter.read, write: service.meter.write });

  test('Read nothing from the table while nothing happens', async () => {
    await service.rest();
    service.meter.reset();
    await pause(1_500);
    expect(units()).toEqual({ read: 0, write: 0 });
  });

  test('Get a message for a few units in all', async () => {
    await send();
    await untilAllTold(1);
    service.meter.reset();
    await send();
    await untilAllTold(2);
    const all = units();
    for (const socket of sockets) socket.kill();
    // The service pushes until it knows that they are gone.
    do {
      pushes = 0;
      service.meter.reset();
      await send();
      await service.rest();
    } while (pushes > 0);
    const alone = units();
    expect(all.write - alone.write).toBe(extra.write);
    expect(all.read - alone.read).toBeLessThanOrEqual(extra.read);
  });
});
