import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { fillLog } from '#tests/harness/backlog.ts';
import { subscribeInBulk } from '#tests/harness/bulk-people.ts';
import type { Client, ReceivedEvent } from '#tests/harness/client.ts';
import { expectBadQueue } from '#tests/harness/refusal.ts';
import { createChannel, createUser, type TestChannel } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { unitsOf } from '#tests/harness/units.ts';

const CHANNELS = 10;

let room: TestChannel;
const service = await startTestService();
const guest = await createUser(service, 'Guest', roles.guest);
const member = await createUser(service, 'Member');
const friend = await createUser(service, 'Friend');
for (let n = 0; n < CHANNELS; n++) room = await createChannel(service, [friend, guest, member]);

const limit = (group: number) =>
  service.owner.patch('/realm', { can_access_all_users_group: { new: group } });

const readsOf = async (call: () => Promise<unknown>): Promise<number> => (await unitsOf(service, call)).read;

async function unitsOfPoll(who: Client): Promise<number> {
  const queue = await who.listen({ event_types: ['message'] });
  await friend.send(room.channelId, 'topic', 'hello');
  return readsOf(() => queue.poll());
}

const unitsOfLook = async (who: Client): Promise<number> => {
  const queue = await who.listen();
  return readsOf(() => queue.poll({ dont_block: true }));
};

const unitsOfUser = (who: Client) => readsOf(() => who.get(`/users/${friend.userId}`));
const unitsOfMessages = (who: Client) =>
  readsOf(() => who.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 }));

describe('The visibility of users', () => {
  test('Costs members nothing, and guests who see every user a read of the setting', async () => {
    for (const units of [unitsOfPoll, unitsOfUser, unitsOfMessages])
      expect([units.name, await units(guest)]).toEqual([units.name, (await units(member)) + 1]);
    expect(await unitsOfLook(guest)).toBe(await unitsOfLook(member));
  });

  test('Costs limited guests about a unit for each of their channels, and members still nothing', async () => {
    const measures = [unitsOfPoll, unitsOfUser];
    const before: number[] = [];
    for (const units of measures) before.push(await units(member));
    await limit(6);
    for (const [index, units] of measures.entries()) {
      expect(await units(member)).toBe(before[index]);
      expect((await units(guest)) - (before[index] ?? 0)).toBeLessThanOrEqual(CHANNELS + 6);
    }
    expect(await unitsOfLook(guest)).toBe(await unitsOfLook(member));
    await limit(7);
  });

  test('Applies as of each event for a queue up to 2 000 positions behind, and no further', async () => {
    await limit(6);
    const place = { channelId: room.channelId, channelName: room.name };
    // The guest sees the authors of the log's messages.
    await subscribeInBulk(service, room.channelId, 1, { after: -1 });
    const late = await guest.listen();
    await fillLog(service.services, place, 1_000);
    const near = await guest.listen();
    await fillLog(service.services, place, 2_000);
    const isSeen = ({ type, message }: ReceivedEvent) =>
      type === 'message' && message.sender_full_name === 'Invented';
    expect((await near.drain()).filter(isSeen)).toHaveLength(2_000);
    expectBadQueue(await late.poll({ dont_block: true }), late.queueId);
    await limit(7);
  });
});
