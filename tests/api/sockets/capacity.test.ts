import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Around } from '#infra/local/around.ts';
import type { Client } from '#tests/harness/client.ts';
import { inFunction } from '#tests/harness/privilege/least-privilege.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { TestSocket, withSocket } from './test-socket.ts';

const SOCKETS = 100;
const NAMES = Array.from({ length: 9 }, (_, n) => `Person ${n}`);

describe.each([
  // Two looks at the log, and at the organization.
  ['in the memory of the process', false, { read: 1.5, write: 0 }],
  // The place of the pusher, and all connections, of which ten make a unit.
  ['in the table, as on AWS', true, { read: 12.5, write: 2 }],
])('A hundred sockets whose connections are kept %s', async (_where, isInTable, extra) => {
  let pushes = 0;
  const around: Around = (name, run) => {
    if (name === 'push-events') pushes++;
    return inFunction(name, run);
  };
  const service = await startTestService({}, { around, sockets: { isInTable } });
  const people = await createUsers(service, 'Ada', ...NAMES);
  const room = await createChannel(service, people);
  const sockets: TestSocket[] = [];
  for (let n = 0; n < SOCKETS; n++)
    sockets.push(await TestSocket.open(await withSocket(people[n % people.length] as Client)));

  const send = () => people[0].send(room.channelId, 'topic', 'hello');
  const untilAllTold = async (count: number) => {
    for (const socket of sockets)
      await socket.until(() => socket.events.filter(({ type }) => type === 'message').length === count);
    // The consequences of the last text.
    await service.rest();
  };

  test('Read nothing from the table while nothing happens', async () => {
    await service.rest();
    expect(await unitsOf(service, () => pause(1_500))).toEqual({ read: 0, write: 0 });
  });

  test('Get a message for a few units in all', async () => {
    await send();
    await untilAllTold(1);
    const all = await unitsOf(service, async () => {
      await send();
      await untilAllTold(2);
    });
    for (const socket of sockets) socket.kill();
    // The service pushes until it knows that they are gone.
    let alone = all;
    do {
      pushes = 0;
      alone = await unitsOf(service, async () => {
        await send();
        await service.rest();
      });
    } while (pushes > 0);
    expect(all.write - alone.write).toBe(extra.write);
    expect(all.read - alone.read).toBeLessThanOrEqual(extra.read);
  });
});
