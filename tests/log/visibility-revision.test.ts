import { describe, expect, test } from 'vitest';
import { channelTurnWrite, peopleTurnWrite } from '#shared/domain/channels/visibility-revision.ts';
import { FIRST_KEY_VERSION } from '#shared/domain/users/create.ts';
import { roles } from '#shared/domain/users/user.ts';
import { Conflict, commit } from '#shared/log/commit.ts';
import { pollQueue } from '#shared/queues/poll.ts';
import { getQueue } from '#shared/queues/queue.ts';
import { getCurrentUser } from '#shared/store/users/current-user.ts';
import { readVisibilityRevision } from '#shared/store/visibility/visibility-revision.ts';
import { groupPartitions } from '#shared/table/keys/groups.ts';
import { userPartitions } from '#shared/table/keys/users.ts';
import { createBot } from '#tests/api/bots/bots.ts';
import type { Client, ReceivedEvent } from '#tests/harness/client.ts';
import { withCalls } from '#tests/harness/log.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const { services } = service;
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

const giveRole = ({ userId }: Client, role: number) => service.owner.patch(`/users/${userId}`, { role });
const addTo = (groupId: number, { userId }: Client) =>
  service.owner.post(`/user_groups/${groupId}/members`, { add: [userId] });
const createGroup = async (name: string): Promise<number> => {
  const { body } = await service.owner.post('/user_groups/create', { name, description: '', members: [] });
  return body.group_id;
};

/** Decides now, commits after something else has happened. */
async function expectConflict(
  write: 'people' | 'channels',
  meanwhile: () => Promise<unknown>,
  isStale = true,
): Promise<void> {
  const seen = await readVisibilityRevision(services.table);
  await meanwhile();
  const late = commit(services, {
    writes: [write === 'people' ? peopleTurnWrite(seen) : channelTurnWrite(seen)],
  });
  if (isStale) await expect(late).rejects.toThrow(Conflict);
  else await late;
}

describe('The events of a group’s channels are decided again', () => {
  test('If a channel was created or its visibility changed since the decision', async () => {
    const { channelId } = await createChannel(service, [ada]);
    await expectConflict('people', () => createChannel(service, [bo]));
    await expectConflict('people', () =>
      service.owner.patch(`/streams/${channelId}`, { can_subscribe_group: { new: 2 } }),
    );
    await expectConflict('people', () => service.owner.patch(`/streams/${channelId}`, { is_private: true }));
    await expectConflict('people', () => service.owner.delete(`/streams/${channelId}`));
  });

  test('If roles, groups or people changed since the decision', async () => {
    const groupId = await createGroup('readers');
    await expectConflict('people', () => giveRole(bo, roles.moderator));
    await expectConflict('people', () => addTo(groupId, bo));
    await expectConflict('people', () => service.createUser('Newcomer'));
    const leaver = await service.createUser('Leaver');
    await expectConflict('people', () => service.owner.delete(`/users/${leaver.userId}`));
    await expectConflict('people', () => service.owner.post(`/users/${leaver.userId}/reactivate`));
    const creation = { name: 'others', description: '', members: [bo.userId] };
    await expectConflict('people', () => service.owner.post('/user_groups/create', creation));
  });
});

describe('The recipients of a channel are decided again', () => {
  test('If roles or groups changed since its position was determined', async () => {
    const groupId = await createGroup('writers');
    await expectConflict('channels', () => giveRole(bo, roles.administrator));
    await expectConflict('channels', () => addTo(groupId, ada));
    await expectConflict('channels', () => service.owner.post(`/user_groups/${groupId}/deactivate`));
  });

  test('But not because of another channel', () =>
    expectConflict('channels', () => createChannel(service, [ada]), false));
});

describe('The events of an entry follow its position in the log, however late or often they are read', () => {
  const peersOf = (events: ReceivedEvent[], channelId: number) =>
    events.filter(({ op, stream_ids: ids }) => op === 'peer_add' && ids.includes(channelId));

  test('A channel that another role shows comes with its subscribers of that time', async () => {
    const [cy, dee] = await createUsers(service, 'Cy', 'Dee');
    const { name, channelId } = await createChannel(service, [dee], { invite_only: true });
    const queue = await cy.listen();
    await giveRole(cy, roles.administrator);
    const first = await queue.poll({ dont_block: true });
    const creation = first.body.events.findIndex(({ streams }: ReceivedEvent) =>
      streams?.some((one: { stream_id: number }) => one.stream_id === channelId),
    );
    await dee.subscribe(name, { principals: [ada.userId] });
    // The client got a part of the entry.
    const again = await queue.poll({ last_event_id: first.body.events[creation].id, dont_block: true });
    const peers = peersOf(again.body.events, channelId).map(({ user_ids: ids }) => ids);
    expect(peers).toEqual([[dee.userId], [ada.userId]]);
  });

  test('A user who left a channel after its unarchiving was in it at the unarchiving', async () => {
    const { name, channelId } = await createChannel(service, [ada, bo]);
    await service.owner.delete(`/streams/${channelId}`);
    const queue = await bo.listen({ client_capabilities: { archived_channels: false } });
    await service.owner.patch(`/streams/${channelId}`, { is_archived: false });
    await bo.delete('/users/me/subscriptions', { subscriptions: [name] });
    const events = await queue.drain();
    const about = ['stream/create', 'subscription/add', 'subscription/remove'];
    const kinds = events.map(({ type, op }) => `${type}/${op}`).filter((one) => about.includes(one));
    expect(kinds).toEqual(about);
  });

  test('A user who joins while a guest gets all users comes once', async () => {
    const guest = await service.createUser('Guest', roles.guest);
    const setVisibility = (group: number) =>
      service.owner.patch('/realm', { can_access_all_users_group: { new: group } });
    await setVisibility(6);
    const queue = await guest.listen();
    await setVisibility(7);
    let newcomer: Client | undefined;
    const racing = withCalls(services, (table) => ({
      list: async (query) => {
        if (query.partition === userPartitions.users()) newcomer ??= await service.createUser('Latecomer');
        return table.list(query);
      },
    }));
    const stored = await getQueue(services, guest.userId, queue.queueId);
    const user = { ...(await getCurrentUser(services, guest.userId)), keyVersion: FIRST_KEY_VERSION };
    const options = { lastEventId: queue.lastEventId, blocks: false };
    const addedIn = (events: ReceivedEvent[]): number[] =>
      events
        .filter(({ type, op }) => type === 'realm_user' && op === 'add')
        .map(({ person }) => person.user_id);
    const first = (await pollQueue(racing, stored, user, options)) as unknown as ReceivedEvent[];
    expect(addedIn(first)).toContain(ada.userId);
    expect(newcomer).toBeDefined();
    expect(addedIn(first)).not.toContain(newcomer?.userId);
    queue.lastEventId = first.at(-1)?.id ?? 0;
    expect(addedIn(await queue.drain())).toEqual([newcomer?.userId]);
  });

  test('A user who joins a group while their client polls gets nothing of its channels from before', async () => {
    const guest = await service.createUser('Visitor', roles.guest);
    const groupId = await createGroup('visitors');
    const { channelId } = await createChannel(service, [ada], { can_subscribe_group: groupId });
    const queue = await guest.listen({ event_types: ['stream'] });
    await service.owner.patch(`/streams/${channelId}`, { description: 'before' });
    let isIn = false;
    const racing = withCalls(services, (table) => ({
      findMany: async (keys, options) => {
        if (keys.some(({ pk }) => pk === groupPartitions.groups()) && !isIn) {
          isIn = true;
          await addTo(groupId, guest);
        }
        return table.findMany(keys, options);
      },
    }));
    const stored = await getQueue(services, guest.userId, queue.queueId);
    const user = { ...(await getCurrentUser(services, guest.userId)), keyVersion: FIRST_KEY_VERSION };
    const options = { lastEventId: queue.lastEventId, blocks: false };
    const polled = await pollQueue(racing, stored, user, options);
    expect(isIn).toBe(true);
    expect(polled.map(({ op }) => op)).toEqual(['create']);
  });

  test('The bots that another role shows do not change while a client has got a part of them', async () => {
    const [eve, finn] = await createUsers(service, 'Eve', 'Finn');
    await createBot(finn);
    const queue = await eve.listen();
    await giveRole(eve, roles.administrator);
    const { body } = await queue.poll({ dont_block: true });
    const early = await createBot(finn);
    await service.owner.patch(`/bots/${early.userId}`, { bot_owner_id: ada.userId });
    const whole = body.events as ReceivedEvent[];
    const middle = whole.findIndex(({ type }) => type === 'realm_bot');
    const rest = await queue.poll({ last_event_id: whole[middle]?.id, dont_block: true });
    const again = (rest.body.events as ReceivedEvent[]).slice(0, whole.length - middle - 1);
    expect(again).toEqual(whole.slice(middle + 1));
    const bots = (rest.body.events as ReceivedEvent[]).filter(({ type }) => type === 'realm_bot');
    expect(bots.filter(({ bot }) => bot.user_id === early.userId)).toHaveLength(1);
  });
});
