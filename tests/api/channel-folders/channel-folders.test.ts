// The operations createChannelFolder, editChannelFolder, listChannelFolders and reorderChannelFolders.
import { describe, expect, test } from 'vitest';
import type { Params } from '#tests/harness/client.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { foldersSeenBy, makeFolder } from './folder-calls.ts';

const service = await startTestService();
const { owner } = service;
const [ada] = await createUsers(service, 'Ada');
const guest = await createUser(service, 'Guest', 600);

const TAKEN = 'Channel folder name already in use';
const INVALID = 'Invalid channel folder ID';
const create = (params: Params) => owner.post('/channel_folders/create', params);
const edit = (id: number, params: Params) => owner.patch(`/channel_folders/${id}`, params);
const editChannel = (channelId: number, params: Params) => ada.patch(`/streams/${channelId}`, params);
const listen = () => guest.listen({ event_types: ['channel_folder'] });
const expectConsistent = (steps: Parameters<typeof expectConsistentSnapshot>[2]) =>
  expectConsistentSnapshot(service, [owner, ada, guest], steps);

describe('Creating a channel folder', () => {
  test('Places it after all others and notifies every user', async () => {
    const queue = await listen();
    const description = '**Bold** <script>alert(1)</script>';
    await expectConsistent(async () => {
      await makeFolder(owner);
      await create({ name: '  Design ', description });
    });
    const folders = await foldersSeenBy(ada);
    expect(folders.map(({ order }) => order)).toEqual(folders.map((_, index) => index));
    const channel_folder = folders.at(-1);
    const [, event] = await queue.drain();
    expect(event).toEqual({ type: 'channel_folder', op: 'add', id: expect.any(Number), channel_folder });
    const expected = { name: 'Design', creator_id: owner.userId, is_archived: false, description };
    expect(channel_folder).toMatchObject(expected);
    expect(channel_folder?.rendered_description).toContain('<strong>Bold</strong>');
    expect(channel_folder?.rendered_description).not.toContain('<script>');
  });

  test('Requires a unique name, whatever the letter case and composition', async () => {
    await create({ name: 'Cafe\u0301' });
    await service.settle();
    service.meter.reset();
    for (const name of ['Café', 'CAFÉ', 'cafe\u0301']) expectRefusal(await create({ name }), TAKEN);
    for (const [params, msg] of [
      [{ name: ' ' }, "Channel folder name can't be empty."],
      [{ name: 'x'.repeat(61) }, 'name is too long (limit: 60 characters)'],
      [{ name: 'a\u0007b' }, 'Invalid character in channel folder name, at position 2.'],
      [{ name: 'fine', description: 'x'.repeat(1025) }, 'description is too long (limit: 1024 characters)'],
    ] as const)
      expectRefusal(await create(params), msg);
    expect(service.meter.write, 'a refused folder uses up no id').toBe(0);
  });

  test('Creates one folder if two requests use the same name at once', async () => {
    const replies = await Promise.all([create({ name: 'Twice' }), create({ name: 'twice' })]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

describe('A channel', () => {
  test('Can be created in a folder, moved to another and taken out', async () => {
    const [first, second] = [await makeFolder(owner), await makeFolder(owner)];
    const principals = [ada.userId, guest.userId];
    const channelId = await ada.subscribe('filed', { folder_id: first.id, principals });
    const both = [{ name: 'first of two' }, { name: 'second of two' }];
    await ada.post('/users/me/subscriptions', { subscriptions: both, folder_id: second.id });
    const queue = await guest.listen({ event_types: ['stream'] });
    await expectConsistent(async () => {
      for (const folder_id of [second.id, null])
        expect((await editChannel(channelId, { folder_id })).status).toBe(200);
    });
    const updates = (await queue.drain()).filter(({ property }) => property === 'folder_id');
    expect(updates.map(({ value }) => value)).toEqual([second.id, null]);
    expect((await ada.get('/streams/1')).body.stream.folder_id).toBe(null);
  });

  test('In a folder costs as much to edit as one outside', async () => {
    const folder_id = (await makeFolder(owner)).id;
    const channelId = await ada.subscribe('costs the same');
    const costOf = async (params: Params): Promise<number> => {
      await service.settle();
      const release = holdJobs(service);
      service.meter.reset();
      expect((await editChannel(channelId, params)).status).toBe(200);
      const { read } = service.meter;
      await release();
      return read;
    };
    const outside = await costOf({ description: 'in none' });
    await costOf({ folder_id });
    expect(await costOf({ description: 'in one' })).toBe(outside);
  });

  test('Cannot be put into a folder that does not exist or is archived', async () => {
    const archived = await makeFolder(owner);
    await edit(archived.id, { is_archived: true });
    const channelId = await ada.subscribe('unfiled');
    const subscriptions = [{ name: 'refused' }];
    for (const folder_id of [archived.id, 4711, -1]) {
      expectRefusal(await ada.post('/users/me/subscriptions', { subscriptions, folder_id }), INVALID);
      expectRefusal(await editChannel(channelId, { folder_id }), INVALID);
    }
  });
});

describe('Editing a channel folder', () => {
  test('Notifies every user of the changed fields only', async () => {
    const { id, name } = await makeFolder(owner, { description: 'old' });
    const queue = await listen();
    await expectConsistent(async () => {
      expect((await edit(id, { name, description: '*new*' })).status).toBe(200);
      await edit(id, { name: `${name} 2`, is_archived: true });
      await edit(id, { is_archived: false });
    });
    expect((await queue.drain()).map(({ channel_folder_id, data }) => [channel_folder_id, data])).toEqual([
      [id, { description: '*new*', rendered_description: expect.stringContaining('<em>new</em>') }],
      [id, { name: `${name} 2`, is_archived: true }],
      [id, { is_archived: false }],
    ]);
    await edit(id, { is_archived: false, name: `${name} 2` });
    expect(await queue.drain()).toEqual([]);
  });

  test('Keeps names unique: an archived folder frees its name and cannot return while another has it', async () => {
    const [kept, archived] = [await makeFolder(owner), await makeFolder(owner)];
    expectRefusal(await edit(kept.id, { name: archived.name.toUpperCase() }), TAKEN);
    await edit(archived.id, { is_archived: true });
    expect((await edit(kept.id, { name: archived.name })).status).toBe(200);
    expectRefusal(await edit(archived.id, { is_archived: false }), TAKEN);
    expect((await edit(archived.id, { is_archived: false, name: kept.name })).status).toBe(200);
  });

  test('Refuses to archive a folder with channels', async () => {
    const { id } = await makeFolder(owner);
    const channelId = await ada.subscribe('kept', { folder_id: id });
    const refusal = 'You need to remove all the channels from this folder to archive it.';
    expectRefusal(await edit(id, { is_archived: true }), refusal);
    await editChannel(channelId, { folder_id: null });
    expect((await edit(id, { is_archived: true })).status).toBe(200);
  });

  test('Lets one of two requests fail if a folder is archived while a channel is put into it', async () => {
    for (let round = 0; round < 3; round++) {
      const { id } = await makeFolder(owner);
      const channelId = await ada.subscribe(`race ${round}`);
      await Promise.all([edit(id, { is_archived: true }), editChannel(channelId, { folder_id: id })]);
      const folders = await foldersSeenBy(ada, { include_archived: true });
      const isInside = (await ada.get(`/streams/${channelId}`)).body.stream.folder_id === id;
      expect(folders.find((folder) => folder.id === id)?.is_archived).toBe(!isInside);
    }
  });

  test('Refuses folders that do not exist and empty names', async () => {
    const { id } = await makeFolder(owner);
    expectRefusal(await edit(4711, { name: 'x' }), INVALID);
    expectRefusal(await edit(id, { name: '' }), "Channel folder name can't be empty.");
  });
});

test('Every user lists folders in order, archived ones on request, and register returns all', async () => {
  const [archived, active] = [await makeFolder(owner), await makeFolder(owner)];
  await edit(archived.id, { is_archived: true });
  const all = await foldersSeenBy(guest, { include_archived: true });
  expect(all.map(({ id }) => id).slice(-2)).toEqual([archived.id, active.id]);
  expect(await foldersSeenBy(guest)).toEqual(all.filter(({ is_archived }) => !is_archived));
  const { snapshot } = await guest.register({ fetch_event_types: ['channel_folders'] });
  expect(snapshot.channel_folders).toEqual(all);
});

test('Folders keep the order that an administrator sets, archived ones included', async () => {
  await edit((await makeFolder(owner)).id, { is_archived: true });
  const order = (await foldersSeenBy(ada, { include_archived: true })).map(({ id }) => id).reverse();
  const queue = await listen();
  const reorder = (ids: unknown) => owner.patch('/channel_folders', { order: ids });
  await expectConsistent(() => reorder(order));
  expect(await queue.drain()).toEqual([
    { type: 'channel_folder', op: 'reorder', id: expect.any(Number), order },
  ]);
  const folders = await foldersSeenBy(guest, { include_archived: true });
  expect(folders.map((folder) => [folder.id, folder.order])).toEqual(order.map((id, n) => [id, n]));
  await reorder(order);
  expect(await queue.drain()).toEqual([]);
  for (const ids of [order.slice(1), [...order, order[0]], [...order.slice(1), 99_999], []])
    expectRefusal(await reorder(ids), 'Invalid order mapping.');
});
