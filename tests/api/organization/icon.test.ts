// The operations deleteOrganizationIcon, getOrganizationIcon and uploadOrganizationIcon.
import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { send, sendTo } from '#tests/harness/anonymous.ts';
import type { Client } from '#tests/harness/client.ts';
import { lookAt, makePicture, toForm } from '#tests/harness/pictures.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

const service = await startTestService();
const administrator = await service.createUser('Administrator', roles.administrator);
const member = await service.createUser('Member');
const guest = await service.createUser('Guest', roles.guest);
const picture = await makePicture({ width: 300, height: 200 });
await service.settle();

const icon = async () => (await send(service.url, '/server_settings')).body.realm_icon;
const upload = (client: Client, files: Uint8Array | Uint8Array[] = picture) =>
  client.post('/realm/icon', {}, { rawBody: toForm(files) });

test('The icon redirects to a pattern of the organization’s address if no icon was uploaded', async () => {
  const { status, headers, body } = await send(service.url, '/realm/icon');
  expect([status, body]).toEqual([302, undefined]);
  const pattern = /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?d=identicon$/;
  expect(headers.get('location')).toMatch(pattern);
  const { snapshot } = await service.owner.register({ fetch_event_types: ['realm'] });
  expect(snapshot).toMatchObject({ realm_icon_source: 'G', realm_icon_url: headers.get('location') });
});

describe('The icon of the organization', () => {
  test('Becomes a square of 100 pixels, with an event to every user', async () => {
    const queue = await guest.listen();
    const { status, body } = await upload(administrator);
    expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
    const { snapshot } = await guest.register({ fetch_event_types: ['realm'] });
    expect(snapshot.realm_icon_source).toBe('U');
    const event = { id: expect.any(Number), type: 'realm', op: 'update_dict', property: 'icon' };
    const data = { icon_url: snapshot.realm_icon_url, icon_source: 'U' };
    expect(await queue.drain()).toEqual([{ ...event, data }]);
    const shown = await sendTo(snapshot.realm_icon_url);
    expect(await lookAt(shown.body)).toMatchObject({ kind: 'png', width: 100, height: 100 });
  });

  test('Appears before signing in', async () => {
    await upload(administrator);
    const settings = await send(service.url, '/server_settings');
    const icon = await send(service.url, '/realm/icon');
    expect([icon.status, icon.headers.get('location')]).toEqual([302, settings.body.realm_icon]);
    expect(settings.body.realm_icon.startsWith(`${service.url}/user_avatars/`)).toBe(true);
  });

  test('Replaces the one before', async () => {
    await upload(administrator);
    const before = await icon();
    await upload(service.owner);
    const after = await icon();
    expect((await sendTo(before)).status).toBe(404);
    expect((await sendTo(after)).status).toBe(200);
  });

  test('Stays if other settings change', async () => {
    await upload(administrator);
    await service.owner.patch('/realm', { name: 'Kiln' });
    const { snapshot } = await guest.register({ fetch_event_types: ['realm'] });
    expect(snapshot).toMatchObject({ realm_icon_source: 'U', realm_name: 'Kiln' });
  });

  test('Has the same address in register', async () => {
    await expectConsistentSnapshot(service, [service.owner, member, guest], async () => {
      await upload(administrator);
      await administrator.delete('/realm/icon');
      await upload(administrator);
    });
  });

  test('Must be exactly one picture', async () => {
    for (const pictures of [[], [picture, picture]])
      expectRefusal(await upload(administrator, pictures), 'You must upload exactly one icon.');
    const noPicture = await upload(administrator, Buffer.from('text'));
    expectRefusal(noPicture, 'Invalid image format', { code: 'BAD_IMAGE' });
  });
});

test('Deleting the icon restores the default one, and deletes the file', async () => {
  await service.owner.delete('/realm/icon');
  const first = await icon();
  await upload(administrator);
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
