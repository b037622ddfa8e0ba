// The operations deleteOrganizationLogo, getOrganizationLogo and uploadOrganizationLogo.
import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { send, sendTo } from '#tests/harness/anonymous.ts';
import type { Client } from '#tests/harness/client.ts';
import { lookAt, makePicture, toForm } from '#tests/harness/pictures.ts';
import { expectMissing, expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

const service = await startTestService();
const member = await service.createUser('Member');
const guest = await service.createUser('Guest', roles.guest);
const picture = await makePicture({ width: 1000, height: 500 });
await service.settle();

const upload = (client: Client, params: Record<string, string>, files: Uint8Array | Uint8Array[] = picture) =>
  client.post('/realm/logo', {}, { rawBody: toForm(files, params) });

describe.each([
  ['logo', 'false'],
  ['night_logo', 'true'],
])('The %s of the organization', (name, night) => {
  test('Fits into 800 × 100 pixels, and every user is notified', async () => {
    const queue = await guest.listen();
    const { status, body } = await upload(service.owner, { night });
    expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
    const { snapshot } = await guest.register({ fetch_event_types: ['realm'] });
    expect(snapshot[`realm_${name}_source`]).toBe('U');
    const url = snapshot[`realm_${name}_url`];
    const event = { id: expect.any(Number), type: 'realm', op: 'update_dict', property: name };
    const data = { [`${name}_url`]: url, [`${name}_source`]: 'U' };
    expect(await queue.drain()).toEqual([{ ...event, data }]);
    expect(await lookAt((await sendTo(url)).body)).toMatchObject({ kind: 'png', width: 200, height: 100 });
    expect((await send(service.url, `/realm/logo?night=${night}`)).headers.get('location')).toBe(url);
  });

  test('Has the same address in register', async () => {
    await expectConsistentSnapshot(service, [service.owner, member, guest], async () => {
      await upload(service.owner, { night });
      await service.owner.delete('/realm/logo', { night: night === 'true' });
      await upload(service.owner, { night });
    });
  });
});

test('A small logo is not enlarged', async () => {
  await upload(service.owner, { night: 'false' }, await makePicture({ width: 30, height: 20 }));
  const { snapshot } = await guest.register({ fetch_event_types: ['realm'] });
  const { body } = await sendTo(snapshot.realm_logo_url);
  expect(await lookAt(body)).toMatchObject({ width: 30, height: 20 });
});

test('A logo must be exactly one picture, for day or night', async () => {
  const { owner } = service;
  expectRefusal(await upload(owner, { night: 'true' }, []), 'You must upload exactly one logo.');
  expectRefusal(await upload(owner, { night: 'maybe' }), 'night is not valid JSON');
  expectMissing(await upload(owner, {}), 'night');
  const noPicture = await upload(owner, { night: 'true' }, Buffer.from('x'));
  expectRefusal(noPicture, 'Invalid image format', { code: 'BAD_IMAGE' });
});

test('The logo redirects to the address in register, by day and by night', async () => {
  const { snapshot } = await service.owner.register({ fetch_event_types: ['realm'] });
  for (const [night, name] of [
    [false, 'realm_logo_url'],
    [true, 'realm_night_logo_url'],
  ] as const) {
    const { status, headers } = await send(service.url, `/realm/logo?night=${night}`);
    expect([status, headers.get('location')]).toEqual([302, snapshot[name]]);
  }
  expectMissing(await send(service.url, '/realm/logo'), 'night');
});

test('Deleting one logo leaves the other', async () => {
  const { owner } = service;
  for (const night of ['true', 'false']) await upload(owner, { night }, await makePicture());
  const queue = await owner.listen();
  expect((await owner.delete('/realm/logo', { night: true })).status).toBe(200);
  expect(await queue.drain()).toMatchObject([
    { type: 'realm', op: 'update_dict', property: 'night_logo', data: { night_logo_source: 'D' } },
  ]);
  const { snapshot } = await owner.register({ fetch_event_types: ['realm'] });
  expect(snapshot).toMatchObject({ realm_logo_source: 'U', realm_night_logo_source: 'D' });
  const shown = await send(service.url, '/realm/logo?night=true');
  expect(shown.headers.get('location')).toBe(snapshot.realm_night_logo_url);
});
