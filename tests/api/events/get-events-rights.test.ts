import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Client, EventQueue } from '#tests/harness/client.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { createGroup } from '../user-groups/group-calls.ts';

const service = await startTestService();
const [maker, reader] = await createUsers(service, 'Maker', 'Reader');

/** A private channel whose subscribers the members of a new group may choose. */
async function secretOf(name: string, members: Client[]): Promise<{ groupId: number; channelId: number }> {
  const groupId = await createGroup(maker, members);
  const secret = { invite_only: true, can_add_subscribers_group: groupId };
  return { groupId, channelId: await maker.subscribe(name, secret) };
}
const kindsOf = async (queue: EventQueue, channelId: number): Promise<string[]> =>
  (await queue.drain())
    .filter((event) => JSON.stringify(event).includes(`"stream_id":${channelId}`))
    .map(({ type, op }) => `${type}/${op}`);

describe('Rights are judged as of the event', () => {
  test('A user who joins a group gets no events of its channels from before', async () => {
    const { groupId, channelId } = await secretOf('lay-offs', [maker]);
    const queue = await reader.register();
    await maker.patch(`/streams/${channelId}`, { new_name: 'harmless' });
    expect(await kindsOf(queue, channelId)).toEqual([]);
    await maker.post(`/user_groups/${groupId}/members`, { add: [reader.userId] });
    expect(await kindsOf(queue, channelId)).toEqual(['stream/create']);
  });

  test('A user who leaves a group still gets the events of the channels that they lost', async () => {
    const { groupId, channelId } = await secretOf('lost', [maker, reader]);
    const queue = await reader.register();
    await maker.patch(`/streams/${channelId}`, { can_add_subscribers_group: { new: 1 } });
    await maker.post(`/user_groups/${groupId}/members`, { delete: [reader.userId] });
    expect(await kindsOf(queue, channelId)).toContain('stream/delete');
  });

  test('A user who becomes a member gets each channel once', async () => {
    const guest = await service.createUser('Guest', roles.guest);
    const queue = await guest.register();
    const channelId = await maker.subscribe('plaza');
    await service.setRole(guest.email, roles.member);
    const kinds = await kindsOf(queue, channelId);
    expect(kinds.filter((kind) => kind === 'stream/create')).toHaveLength(1);
  });

  test('A user who becomes an administrator while waiting gets administrators’ events from then on', async () => {
    const riser = await service.createUser('Riser');
    const queue = await riser.listen({ event_types: ['invites_changed'] });
    const waiting = queue.poll();
    await service.setRole(riser.email, roles.administrator);
    await service.owner.post('/invites/multiuse', {});
    expect((await waiting).body.events).toMatchObject([{ type: 'invites_changed' }]);
  });
});
