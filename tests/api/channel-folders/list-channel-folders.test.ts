import { expect, test } from 'vitest';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { foldersSeenBy, makeFolder } from './folder-calls.ts';

const service = await startTestService();

test('Every user lists folders in order, archived ones on request, and register returns all', async () => {
  const guest = await createUser(service, 'Guest', 600);
  const [one, two] = [await makeFolder(service.owner), await makeFolder(service.owner)];
  await service.owner.patch(`/channel_folders/${one.id}`, { is_archived: true });
  expect((await foldersSeenBy(guest)).map(({ id }) => id)).toEqual([two.id]);
  const all = await foldersSeenBy(guest, { include_archived: true });
  expect(all.map(({ id }) => id)).toEqual([one.id, two.id]);
  expect((await guest.register({ fetch_event_types: ['channel_folders'] })).snapshot.channel_folders).toEqual(
    all,
  );
});
