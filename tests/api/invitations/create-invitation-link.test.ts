import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { listFor, makeLink } from './invitation-calls.ts';

const service = await startTestService();
const owner = service.owner;
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
