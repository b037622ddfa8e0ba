// The operations createInvitationLink and revokeInvitationLink.
import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { confirm, INVALID, tryConfirm, tryJoin } from '#tests/api/joining/joining-calls.ts';
import type { Client } from '#tests/harness/client.ts';
import { interrupt } from '#tests/harness/interruption.ts';
import { keyOf } from '#tests/harness/mails.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { idsFor, invite, listFor, makeLink, newAddress, revokeLink } from './invitation-calls.ts';

const service = await startTestService();
const { owner } = service;
const admin = await createUser(service, 'Admin', roles.administrator);
const member = await createUser(service, 'Member');

const tryLink = (client: Client, params = {}) => client.post('/invites/multiuse', params);

describe('An invitation link', () => {
  test('Has a key that cannot be guessed, and is listed with its parameters', async () => {
    const { body } = await tryLink(admin, { invite_as: roles.guest, invite_expires_in_minutes: 60 });
    expect(body.invite_link).toMatch(/\/join\/[A-Za-z0-9]{33,}\/$/);
    expect(body.invite_link.startsWith(`${service.url}/join/`)).toBe(true);
    const [found] = (await listFor(admin)).filter(({ link_url }) => link_url === body.invite_link);
    expect(found).toEqual({
      id: expect.any(Number),
      link_url: body.invite_link,
      invited_by_user_id: admin.userId,
      invited: expect.any(Number),
      expiry_date: (found?.invited ?? 0) + 3600,
      invited_as: roles.guest,
      notify_referrer_on_join: true,
      is_multiuse: true,
    });
  });

  test('May last for ever, and lasts ten days by default', async () => {
    expect((await makeLink(admin, { invite_expires_in_minutes: null })).expiry_date).toBeNull();
    const { invited, expiry_date } = await makeLink(admin);
    expect(expiry_date).toBe(invited + 10 * 24 * 3600);
  });
});

describe('The right to create links', () => {
  test('Belongs to administrators, unless `create_multiuse_invite_group` names another group', async () => {
    expectRefusal(await tryLink(member), 'Insufficient permission');
    await owner.patch('/realm', { create_multiuse_invite_group: { new: 6 } });
    expect((await tryLink(member)).status).toBe(200);
    await owner.patch('/realm', { create_multiuse_invite_group: { new: 1 } });
    expectRefusal(await tryLink(owner), 'Insufficient permission');
    await owner.patch('/realm', { create_multiuse_invite_group: { new: 3 } });
  });

  test('Requires an owner for links that invite owners', async () => {
    expectRefusal(await tryLink(admin, { invite_as: roles.owner }), 'Must be an organization owner', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    expect((await tryLink(owner, { invite_as: roles.owner })).status).toBe(200);
  });
});

test.each([
  ['invite_as', '5', 'Invalid invite_as'],
  ['stream_ids', '[999999]', 'Invalid channel ID 999999. No invites were sent.'],
  ['group_ids', '[999999]', 'Invalid user group'],
  ['invite_expires_in_minutes', '0', 'invite_expires_in_minutes is too small'],
])('A link whose `%s` is %s is refused', async (name, value, msg) => {
  const before = await listFor(owner);
  expectRefusal(await tryLink(owner, { [name]: value }), msg);
  expect(await listFor(owner)).toEqual(before);
});

const REVOKED = 'Invitation has already been revoked';

test('A revoked link stops working, and so do the confirmations from it', async () => {
  const { id, link_url } = await makeLink(admin);
  const link = { key: keyOf(link_url) ?? '' };
  const { key } = await confirm(service, link);
  expect((await revokeLink(admin, id)).status).toBe(200);
  expect(await idsFor(owner)).not.toContain(id);
  expectRefusal(await tryConfirm(service, { ...link, email: newAddress() }), INVALID);
  expectRefusal(await tryJoin(service, { key }), INVALID);
});

test('A link that is revoked while a user joins by it does not let them in', async () => {
  const { id, link_url } = await makeLink(admin);
  const { key, email } = await confirm(service, { key: keyOf(link_url) ?? '' });
  const joining = interrupt(service, { transact: () => true }, async () =>
    expect((await revokeLink(admin, id)).status).toBe(200),
  );
  expectRefusal(await tryJoin(service, { key }), INVALID);
  expect(joining.hasHappened()).toBe(true);
  const { members } = (await owner.get('/users')).body;
  expect(members.map((user: { email: string }) => user.email)).not.toContain(email);
});

test('A link can be revoked once, however many requests race', async () => {
  const { id } = await makeLink(admin);
  const replies = await Promise.all(Array.from({ length: 5 }, () => revokeLink(admin, id)));
  const refused = replies.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(4);
  for (const reply of [...refused, await revokeLink(owner, id)]) expectRefusal(reply, REVOKED);
});

test('Its creator and every administrator may revoke a link, and no other user', async () => {
  await owner.patch('/realm', { create_multiuse_invite_group: { new: 6 } });
  const other = await createUser(service, 'Other');
  const { id } = await makeLink(member);
  expectRefusal(await revokeLink(other, id), 'No such invitation');
  for (const client of [member, admin, owner])
    expect((await revokeLink(client, (await makeLink(member)).id)).status).toBe(200);
  const forOwners = await makeLink(owner, { invite_as: roles.owner });
  const refused = await revokeLink(admin, forOwners.id);
  expectRefusal(refused, 'Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' });
});

test('Revoking fails for an unknown id and for an invitation by e-mail', async () => {
  for (const id of [0, 999_999, (await invite(member)).id])
    expectRefusal(await revokeLink(owner, id), 'No such invitation');
});
