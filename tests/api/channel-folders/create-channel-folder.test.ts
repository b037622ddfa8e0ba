import { describe, expect, test } from 'vitest';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { foldersSeenBy, makeFolder } from './folder-calls.ts';

const service = await startTestService();
const [ada] = await createUsers(service, 'Ada');
const guest = await createUser(service, 'Guest', 600);

const create = (params: object) => service.owner.post('/channel_folders/create', { ...params });

describe('Creating a channel folder', () => {
  test('Places it after all others and notifies every user', async () => {
    const queue = await guest.listen({ event_types: ['channel_folder'] });
    await expectConsistentSnapshot(service, [service.owner, ada, guest], async () => {
      await makeFolder(service.owner);
      await create({ name: '  Design ', description: '**Bold** <script>alert(1)</script>' });
    });
    const folders = await foldersSeenBy(ada);
    expect(folders.map(({ order }) => order)).toEqual(folders.map((_, index) => index));
    const [, event] = await queue.drain();
    expect(event).toEqual({
      type: 'channel_folder',
      op: 'add',
      id: expect.any(Number),
      channel_folder: folders.at(-1),
    });
    expect(folders.at(-1)).toMatchObject({
      name: 'Design',
      creator_id: service.owner.userId,
      is_archived: false,
      description: '**Bold** <script>alert(1)</script>',
    });
    expect(folders.at(-1)?.rendered_description).toContain('<strong>Bold</strong>');
    expect(folders.at(-1)?.rendered_description).not.toContain('<script>');
  });

  test('Requires a unique name, whatever the letter case and composition', async () => {
    await create({ name: 'Cafe\u0301' });
    await service.settle();
    service.meter.reset();
    for (const name of ['Café', 'CAFÉ', 'cafe\u0301'])
      expectRefusal(await create({ name }), 'Channel folder name already in use');
    expectRefusal(await create({ name: ' ' }), "Channel folder name can't be empty.");
    expectRefusal(await create({ name: 'x'.repeat(61) }), 'name is too long (limit: 60 characters)');
    expectRefusal(
      await create({ name: 'a\u0007b' }),
      'Invalid character in channel folder name, at position 2.',
    );
    expectRefusal(
      await create({ name: 'fine', description: 'x'.repeat(1025) }),
      'description is too long (limit: 1024 characters)',
    );
    expect(service.meter.write, 'a refused folder uses up no id').toBe(0);
  });

  test('Creates one folder if two requests use the same name at once', async () => {
    const replies = await Promise.all([create({ name: 'Twice' }), create({ name: 'twice' })]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

describe('A channel', () => {
  test('Can be created in a folder, moved to another and taken out', async () => {
    const [one, two] = [await makeFolder(service.owner), await makeFolder(service.owner)];
    const channelId = await ada.subscribe('filed', { folder_id: one.id });
    const both = { subscriptions: [{ name: 'first of two' }, { name: 'second of two' }], folder_id: two.id };
    expect((await ada.post('/users/me/subscriptions', both)).status).toBe(200);
    const queue = await guest.listen({ event_types: ['stream'] });
    await ada.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'filed' }],
      principals: [guest.userId],
    });
    await expectConsistentSnapshot(service, [service.owner, ada, guest], async () => {
      for (const folder_id of [two.id, null])
        expect((await ada.patch(`/streams/${channelId}`, { folder_id })).status).toBe(200);
    });
    const updates = (await queue.drain()).filter(({ property }) => property === 'folder_id');
    expect(updates.map(({ value }) => value)).toEqual([two.id, null]);
    expect((await ada.get('/streams/1')).body.stream.folder_id).toBe(null);
  });

  test('In a folder costs as much to edit as one outside', async () => {
    const folder_id = (await makeFolder(service.owner)).id;
    const channelId = await ada.subscribe('costs the same');
    const edit = async (params: object): Promise<number> => {
      await service.settle();
      const release = holdJobs(service);
      service.meter.reset();
      expect((await ada.patch(`/streams/${channelId}`, { ...params })).status).toBe(200);
      const { read } = service.meter;
      await release();
      return read;
    };
    const unfiled = await edit({ description: 'in none' });
    await edit({ folder_id });
    expect(await edit({ description: 'in one' })).toBe(unfiled);
  });

  test('Cannot be put into a folder that does not exist or is archived', async () => {
    const archived = await makeFolder(service.owner);
    await service.owner.patch(`/channel_folders/${archived.id}`, { is_archived: true });
    const channelId = await ada.subscribe('unfiled');
    for (const folder_id of [archived.id, 4711, -1]) {
      const subscriptions = [{ name: 'refused' }];
      expectRefusal(
        await ada.post('/users/me/subscriptions', { subscriptions, folder_id }),
        'Invalid channel folder ID',
      );
      expectRefusal(await ada.patch(`/streams/${channelId}`, { folder_id }), 'Invalid channel folder ID');
    }
  });
});
