import { describe, expect, test } from 'vitest';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { people } from '#tests/api/user-groups/group-calls.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, EventQueue, Params } from '#tests/harness/client.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { archiveChannel, createUser, createUsers, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot, REQUEST } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { edit, join, leave, newName, openChannel } from './channel-calls.ts';
import { drainKinds, kindsOf, recordOf } from './channel-records.ts';

const service = await startTestService();
const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
const guest = await createUser(service, 'Guest', 600);

const KNOWING = {
  ...REQUEST,
  client_capabilities: { ...REQUEST.client_capabilities, archived_channels: true },
};
const ONLY_CHANNELS = { event_types: ['stream', 'subscription', 'default_streams'] };

const { owner } = service;
const open = (params: Params = {}) => openChannel(service, [owner, ada, bo, guest], params);
const archive = (channelId: number) => archiveChannel(service, { name: '', channelId });
const unarchive = async (channelId: number) => {
  expect((await edit(owner, channelId, { is_archived: false })).status).toBe(200);
  await service.settle();
};
/** The snapshot consistency check for clients that know of archived channels. */
const expectConsistentSnapshotWhereKnown = (clients: Client[], write: () => Promise<unknown>) =>
  expectConsistentSnapshot(service, clients, write, { archived_channels: true });
const listed = (queue: EventQueue): Record<string, number[]> =>
  Object.fromEntries(
    ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'].map((list) => [
      list,
      queue.snapshot[list].map(({ stream_id }: { stream_id: number }) => stream_id),
    ]),
  );

describe('Archiving a channel', () => {
  test('Requires an administrator or a channel administrator', async () => {
    const { channelId } = await open({ can_administer_channel_group: people(bo) });
    for (const client of [ada, cy, guest])
      expectRefusal(await client.delete(`/streams/${channelId}`), 'Insufficient permission');
    expect((await bo.delete(`/streams/${channelId}`)).status).toBe(200);
    expect((await recordOf(ada, channelId)).is_archived).toBe(true);
    expectRefusal(await bo.delete('/streams/99999'), 'Invalid channel ID');
  });

  test('Sends an archived channel to clients that know archived channels, and a deletion to others', async () => {
    const { name, channelId } = await open();
    const knowing = await ada.listen({ ...KNOWING, ...ONLY_CHANNELS });
    const others = await listenAll([ada, cy, guest], ONLY_CHANNELS);
    await archive(channelId);
    const change = { stream_id: channelId, name, property: 'is_archived', value: true };
    expect(await knowing.drain()).toEqual([
      { type: 'stream', op: 'update', id: expect.any(Number), ...change },
    ]);
    const deletion = { type: 'stream', op: 'delete', stream_ids: [channelId] };
    for (const queue of others) expect(await queue.drain()).toMatchObject([deletion]);
  });

  test('Keeps old snapshot plus events equal to a new snapshot, for all kinds of clients, also when undone', async () => {
    const { name, channelId } = await open();
    await ada.send(name, 'x', 'unread by some');
    await leave(bo, [name]);
    await service.settle();
    const both = async () => {
      await archive(channelId);
      await unarchive(channelId);
    };
    for (const archived_channels of [true, false])
      await expectConsistentSnapshot(
        service,
        [owner, ada, bo, cy, guest],
        [() => archive(channelId), () => unarchive(channelId), both],
        { archived_channels },
      );
  });

  test('Keeps the channel among the left channels of former subscribers, also when undone', async () => {
    const { name, channelId } = await open();
    await leave(bo, [name]);
    await archive(channelId);
    const queue = await bo.listen(REQUEST);
    await unarchive(channelId);
    const kinds = kindsOf(await queue.drain()).filter((kind) => /^(stream|subscription)\//.test(kind));
    expect(kinds).toEqual(['stream/create', 'subscription/add', 'subscription/remove']);
    expect(listed(await bo.register(REQUEST)).unsubscribed).toContain(channelId);
  });

  test('Removes a default channel from the defaults until it is unarchived', async () => {
    const { channelId } = await open();
    const defaults = async () => (await ada.register()).snapshot.realm_default_streams;
    await owner.post('/default_streams', { stream_id: channelId });
    const before = await defaults();
    await expectConsistentSnapshotWhereKnown([owner, ada], async () => {
      await archive(channelId);
      expect(await defaults()).not.toContain(channelId);
      await unarchive(channelId);
    });
    expect(await defaults()).toEqual(before);
  });

  test('Leaves the channel in the snapshot only of clients that know archived channels', async () => {
    const { name, channelId } = await open();
    await leave(bo, [name]);
    await archive(channelId);
    const known = await Promise.all([ada, bo, cy].map((client) => client.register(KNOWING)));
    const unknown = await Promise.all([ada, bo, cy].map((client) => client.register(REQUEST)));
    const holds = (queue: EventQueue) =>
      Object.entries(listed(queue))
        .filter(([, ids]) => ids.includes(channelId))
        .map(([list]) => list);
    expect(known.map(holds)).toEqual([
      ['streams', 'subscriptions'],
      ['streams', 'unsubscribed'],
      ['streams', 'never_subscribed'],
    ]);
    expect(unknown.map(holds)).toEqual([[], [], []]);
  });

  test('Changes nothing if the channel is archived already', async () => {
    const { channelId } = await open();
    await archive(channelId);
    const queue = await ada.listen(ONLY_CHANNELS);
    await archive(channelId);
    expect(await queue.drain()).toEqual([]);
  });
});

describe('An archived channel', () => {
  const members = proves('subscribe.23', 'subscribe.24');
  test('Refuses new messages, keeps old ones, and allows people to join and leave', members, async () => {
    const { name, channelId } = await open();
    const messageId = await ada.send(name, 'x', 'kept');
    await archive(channelId);
    const sent = await ada.post('/messages', { type: 'channel', to: channelId, topic: 'x', content: 'no' });
    expectRefusal(sent, `Not authorized to send to channel '${name}'`);
    expect((await ada.get(`/messages/${messageId}`)).body.message.content).toContain('kept');
    const ignorant = await ada.listen(ONLY_CHANNELS);
    const knowing = await ada.listen({ ...KNOWING, ...ONLY_CHANNELS });
    await expectConsistentSnapshotWhereKnown([owner, ada, cy], async () => {
      expect((await join(cy, [name])).body.subscribed).toEqual({ [cy.userId]: [name] });
      expect((await leave(ada, [name])).body.removed).toEqual([name]);
      expect((await join(ada, [name])).status).toBe(200);
    });
    expect(await drainKinds(ignorant)).toEqual([]);
    const changes = ['subscription/peer_add', 'subscription/remove', 'subscription/add'];
    expect(await drainKinds(knowing)).toEqual(changes);
  });

  test('Can be edited, which sends nothing to clients that do not know archived channels', async () => {
    const { channelId } = await open();
    await archive(channelId);
    const ignorant = await ada.listen(ONLY_CHANNELS);
    await expectConsistentSnapshotWhereKnown([owner, ada, cy], () =>
      edit(owner, channelId, { description: 'As it was', new_name: newName() }),
    );
    expect(await ignorant.drain()).toEqual([]);
  });
});

describe('The notification bot', () => {
  const notesIn = async (channelId: number): Promise<string[]> => {
    const narrow = [
      { operator: 'channel', operand: channelId },
      { operator: 'topic', operand: 'channel events' },
    ];
    const range = { anchor: 'newest', num_before: 20, num_after: 0 };
    const { body } = await owner.get('/messages', { ...range, narrow, apply_markdown: false });
    return body.messages.map(({ content }: { content: string }) => content);
  };
  const setNotes = (send_channel_events_messages: boolean) => {
    const set = { settings: { send_channel_events_messages } };
    return service.services.table.write({ kind: 'update', key: organizationKeys.organization(), set });
  };

  test('Posts about renames, descriptions, privacy, posting rights and archiving in the channel', async () => {
    const { name, channelId } = await open();
    const actor = `@_**Owner|${owner.userId}**`;
    const renamed = newName();
    for (const params of [
      { new_name: renamed },
      { description: 'With ``` in it' },
      { is_private: true },
      { can_send_message_group: { new: { ...people(ada), direct_subgroups: [4] } } },
    ]) {
      expect((await edit(owner, channelId, params)).status).toBe(200);
      await service.settle();
    }
    await archive(channelId);
    await unarchive(channelId);
    expect((await notesIn(channelId)).slice(1)).toEqual([
      `${actor} renamed channel **${name}** to **${renamed}**.`,
      `${actor} changed the description for this channel.\n\n* **Old description:**\n\`\`\`quote\n*No description.*\n\`\`\`\n* **New description:**\n\`\`\`\`quote\nWith \`\`\` in it\n\`\`\`\``,
      `${actor} changed the access permissions for this channel from **Public** to **Private, protected history**.`,
      `${actor} changed the posting permissions for this channel:\n\n* **Old permissions**: Everyone.\n* **New permissions**: Moderators, @_**Ada|${ada.userId}**.`,
      `Channel #**${renamed}** has been archived.`,
      `Channel #**${renamed}** has been unarchived.`,
    ]);
  });

  test('Does not post in a channel that was archived before the job ran', async () => {
    const release = holdJobs(service);
    const channelId = await owner.subscribe(newName());
    expect((await owner.delete(`/streams/${channelId}`)).status).toBe(200);
    await release();
    await unarchive(channelId);
    expect(await notesIn(channelId)).toEqual([
      expect.stringMatching(/has been archived\.$/),
      expect.stringMatching(/has been unarchived\.$/),
    ]);
  });

  test('Does not post if the organization turned its notices off', async () => {
    await setNotes(false);
    const { channelId } = await open();
    await edit(owner, channelId, { description: 'Quiet' });
    await archive(channelId);
    expect(await notesIn(channelId)).toEqual([]);
    await setNotes(true);
  });

  test('Does not prevent a channel from allowing only the empty topic', async () => {
    await setNotes(false);
    const { name, channelId } = await open();
    await ada.send(name, '', 'general');
    await edit(owner, channelId, { topics_policy: 'empty_topic_only' });
    expect((await recordOf(ada, channelId)).topics_policy).toBe('empty_topic_only');
    await setNotes(true);
  });
});
