import { afterAll, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { send, sendTo } from '#tests/harness/anonymous.ts';
import { makePicture, toForm } from '#tests/harness/pictures.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

const service = await startTestService();
await service.settle();
afterAll(() => service.stop());

const upload = async () => service.owner.post('/realm/icon', {}, { rawBody: toForm(await makePicture()) });
const icon = async () => (await send(service.url, '/server_settings')).body.realm_icon;

test('Deleting the icon restores the default one, and deletes the file', async () => {
  const first = await icon();
  await upload();
  const uploaded = await icon();
  const queue = await service.owner.listen();
  expect((await service.owner.delete('/realm/icon')).status).toBe(200);
  expect(await icon()).toBe(first);
  expect(await queue.drain()).toMatchObject([
    { type: 'realm', op: 'update_dict', property: 'icon', data: { icon_url: first, icon_source: 'G' } },
  ]);
  expect((await sendTo(uploaded)).status).toBe(404);
});

test('Deleting changes nothing if there is no icon', async () => {
  const queue = await service.owner.listen();
  expect((await service.owner.delete('/realm/icon')).status).toBe(200);
  expect(await queue.drain()).toEqual([]);
});

test('Register returns the default icon after the deletion', async () => {
  const guest = await service.createUser('Guest', roles.guest);
  await service.settle();
  await upload();
  await expectConsistentSnapshot(service, [service.owner, guest], () => service.owner.delete('/realm/icon'));
});
