import { describe, expect, test } from 'vitest';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { foldersSeenBy, makeFolder } from './folder-calls.ts';

const service = await startTestService();
const [ada] = await createUsers(service, 'Ada');
const guest = await createUser(service, 'Guest', 600);

const edit = (id: number, params: Params, client: Client = service.owner) =>
  client.patch(`/channel_folders/${id}`, params);

describe('Editing a channel folder', () => {
  test('Notifies every user of the changed fields only', async () => {
    const { id, name } = await makeFolder(service.owner, { description: 'old' });
    const queue = await guest.listen({ event_types: ['channel_folder'] });
    await expectConsistentSnapshot(service, [service.owner, ada, guest], async () => {
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
    const [one, two] = [await makeFolder(service.owner), await makeFolder(service.owner)];
    expectRefusal(await edit(one.id, { name: two.name.toUpperCase() }), 'Channel folder name already in use');
    await edit(two.id, { is_archived: true });
    expect((await edit(one.id, { name: two.name })).status).toBe(200);
    expectRefusal(await edit(two.id, { is_archived: false }), 'Channel folder name already in use');
    expect((await edit(two.id, { is_archived: false, name: one.name })).status).toBe(200);
  });

  test('Refuses to archive a folder with channels', async () => {
    const { id } = await makeFolder(service.owner);
    const channelId = await ada.subscribe('kept', { folder_id: id });
    expectRefusal(
      await edit(id, { is_archived: true }),
      'You need to remove all the channels from this folder to archive it.',
    );
    await ada.patch(`/streams/${channelId}`, { folder_id: null });
    expect((await edit(id, { is_archived: true })).status).toBe(200);
  });

  test('Lets one of two requests fail if a folder is archived while a channel is put into it', async () => {
    for (let round = 0; round < 3; round++) {
      const { id } = await makeFolder(service.owner);
      const channelId = await ada.subscribe(`race ${round}`);
      await Promise.all([
        edit(id, { is_archived: true }),
        ada.patch(`/streams/${channelId}`, { folder_id: id }),
      ]);
      const folder = (await foldersSeenBy(ada, { include_archived: true })).find((one) => one.id === id);
      const isInside = (await ada.get(`/streams/${channelId}`)).body.stream.folder_id === id;
      expect(folder?.is_archived).toBe(!isInside);
    }
  });

  test('Refuses folders that do not exist and empty names', async () => {
    const { id } = await makeFolder(service.owner);
    expectRefusal(await edit(4711, { name: 'x' }), 'Invalid channel folder ID');
    expectRefusal(await edit(id, { name: '' }), "Channel folder name can't be empty.");
  });
});
