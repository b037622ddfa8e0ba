import { expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { send } from '#tests/harness/anonymous.ts';
import { keyMailedTo, keyOf } from '#tests/harness/mails.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { INVALID, inviteKey, joinBy, newAddress, tryConfirm } from './joining-calls.ts';

const service = await startTestService();

const look = (key: string) => send(service.url, `/join?key=${encodeURIComponent(key)}`);

test('The holder of a key reads the invitation', async () => {
  const { key, email } = await inviteKey(service, service.owner, { invite_as: roles.guest });
  const { status, body } = await look(key);
  expect([status, body]).toEqual([
    200,
    {
      result: 'success',
      msg: '',
      realm_name: 'Team Chat',
      invited_by_full_name: 'Owner',
      invited_as: roles.guest,
      email,
      expiry_date: expect.any(Number),
      is_multiuse: false,
    },
  ]);
});

test('A link for many people has no address', async () => {
  const { body } = await service.owner.post('/invites/multiuse', { invite_expires_in_minutes: null });
  expect((await look(keyOf(body.invite_link) ?? '')).body).toMatchObject({
    email: null,
    expiry_date: null,
    is_multiuse: true,
  });
});

test('A confirmed address without an invitation has no inviter', async () => {
  await service.owner.patch('/realm', { invite_required: false });
  const email = newAddress();
  await tryConfirm(service, { email });
  await service.settle();
  const { body } = await look(keyMailedTo(service, email));
  await service.owner.patch('/realm', { invite_required: true });
  expect(body).toMatchObject({ invited_by_full_name: null, invited_as: roles.member, email });
});

test('Reading changes nothing, and fails after the invitation ends', async () => {
  const { key, email } = await inviteKey(service, service.owner);
  for (let n = 0; n < 3; n++) expect((await look(key)).status).toBe(200);
  await joinBy(service, key, email);
  expectRefusal(await look(key), INVALID);
});

test('Every other key gets the same answer', async () => {
  const { key } = await inviteKey(service, service.owner, { invite_expires_in_minutes: 1 });
  service.advance(61_000);
  for (const one of ['', 'x', `${'A'.repeat(32)}1`, `${'A'.repeat(32)}99999`, key])
    expectRefusal(await look(one), INVALID);
});
