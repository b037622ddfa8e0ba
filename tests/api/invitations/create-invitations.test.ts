import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { mailsTo } from '#tests/harness/mails.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { invitationTo, invite, listFor, newAddress, tryInvite } from './invitation-calls.ts';

const DAY_SECONDS = 24 * 3600;

const service = await startTestService();
const owner = service.owner;
const admin = await createUser(service, 'Admin', roles.administrator);
const member = await createUser(service, 'Member');
const other = await createUser(service, 'Other');
const guest = await createUser(service, 'Guest', roles.guest);

describe('An invitation by e-mail', () => {
  test('Appears in the list with its parameters, and is mailed to its address', async () => {
    const email = newAddress();
    const before = Math.floor(Date.now() / 1000);
    const { status, body } = await tryInvite(member, { invitee_emails: email });
    expect(status).toBe(200);
    expect(body).toEqual({ result: 'success', msg: '' });
    const found = await invitationTo(member, email);
    expect(found).toEqual({
      id: expect.any(Number),
      email,
      invited_by_user_id: member.userId,
      invited: expect.any(Number),
      expiry_date: (found?.invited ?? 0) + 10 * DAY_SECONDS,
      invited_as: roles.member,
      notify_referrer_on_join: true,
      is_multiuse: false,
    });
    expect(found?.invited).toBeGreaterThanOrEqual(before);
    await service.settle();
    const [mail, ...more] = mailsTo(service, email);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('Member invited you to join Team Chat');
    expect(mail?.content).toContain(`${service.url}/join/`);
    expect(mail?.content).toContain('text/html');
  });

  test.each([
    ['commas', (all: string[]) => all.join(',')],
    ['new lines', (all: string[]) => all.join('\r\n')],
    ['both, white space and nothing in between', (all: string[]) => ` , ${all.join(' ,\n\n ')},\n`],
    ['commas, with names before them', (all: string[]) => all.map((one) => `A Person <${one}>`).join(', ')],
  ])('Goes to many addresses, separated by %s', async (_, join) => {
    const addresses = [newAddress(), newAddress(), newAddress()];
    expect((await tryInvite(member, { invitee_emails: join(addresses) })).status).toBe(200);
    await service.settle();
    for (const email of addresses) {
      expect(await invitationTo(member, email)).toBeDefined();
      expect(mailsTo(service, email)).toHaveLength(1);
    }
  });

  test('Goes to an address once, however often and in whatever letter case it is given', async () => {
    const email = newAddress();
    await tryInvite(member, { invitee_emails: `${email},${email.toUpperCase()},${email}` });
    const listed = (await listFor(member)).filter((one) => one.email?.toLowerCase() === email);
    expect(listed).toHaveLength(1);
  });

  test('Replaces an earlier one of the same inviter to the same address', async () => {
    const first = await invite(member);
    await tryInvite(member, { invitee_emails: first.email.toUpperCase(), invite_as: roles.guest });
    const again = (await listFor(member)).filter((one) => one.email?.toLowerCase() === first.email);
    expect(again).toMatchObject([{ invited_as: roles.guest }]);
    expect(again[0]?.id).not.toBe(first.id);
  });

  test('Leaves invitations of others to the same address alone', async () => {
    const { email } = await invite(member);
    await tryInvite(other, { invitee_emails: email });
    expect(await invitationTo(member, email)).toBeDefined();
    expect(await invitationTo(other, email)).toBeDefined();
  });

  test.each([
    [1, 60],
    [5_256_000, 5_256_000 * 60],
    [null, null],
  ])('Ends after %j minutes', async (minutes, seconds) => {
    const { invited, expiry_date } = await invite(member, { invite_expires_in_minutes: minutes });
    expect(expiry_date).toBe(seconds === null ? null : invited + seconds);
  });

  test('Stores whether its inviter wants a notice', async () => {
    const { notify_referrer_on_join } = await invite(member, { notify_referrer_on_join: false });
    expect(notify_referrer_on_join).toBe(false);
  });

  test('Notifies administrators and its inviter, and no other user', async () => {
    const observers = [owner, admin, member, other, guest];
    const queues = await Promise.all(observers.map((one) => one.listen()));
    await invite(member);
    const heard = await Promise.all(
      queues.map(async (queue) => (await queue.drain()).map(({ id: _, ...e }) => e)),
    );
    const news = [{ type: 'invites_changed' }];
    expect(heard).toEqual([news, news, news, [], []]);
  });

  test('Keeps snapshot and events equal', async () => {
    await expectConsistentSnapshot(service, [owner, admin, member, guest], () => invite(member));
  });
});

describe('The roles that a user may grant by an invitation', () => {
  const may = { owner: [100, 200, 300, 400, 600], admin: [200, 300, 400, 600], member: [400, 600] };
  test.each([
    ['owner', () => owner, may.owner],
    ['administrator', () => admin, may.admin],
    ['member', () => member, may.member],
  ])('As %s', async (_, client, allowed) => {
    for (const role of [100, 200, 300, 400, 600]) {
      const email = newAddress();
      const reply = await tryInvite(client(), { invitee_emails: email, invite_as: role });
      if (allowed.includes(role))
        expect(await invitationTo(client(), email)).toMatchObject({ invited_as: role });
      else
        expectRefusal(reply, `Must be an organization ${role === 100 ? 'owner' : 'administrator'}`, {
          code: 'UNAUTHORIZED_PRINCIPAL',
        });
    }
  });
});

describe('Parameters of an invitation', () => {
  test.each(['', ' ', ',,\n,', '<>'])('Fail with the addresses %j', async (invitee_emails) => {
    expectRefusal(
      await tryInvite(member, { invitee_emails }),
      'You must specify at least one email address.',
    );
  });

  test('May not have 101 addresses', async () => {
    const invitee_emails = Array.from({ length: 101 }, (_, n) => `p${n}@example.com`).join(',');
    expectRefusal(
      await tryInvite(member, { invitee_emails }),
      'Too many email addresses in one request (maximum 100).',
    );
  });

  test.each([
    [
      'stream_ids',
      JSON.stringify(Array.from({ length: 501 }, (_, n) => n)),
      'stream_ids names too many channels (maximum 500).',
    ],
    ['invite_as', '500', 'Invalid invite_as'],
    ['invite_expires_in_minutes', '0', 'invite_expires_in_minutes is too small'],
    ['invite_expires_in_minutes', '5256001', 'invite_expires_in_minutes is too large'],
    [
      'welcome_message_custom_text',
      'x'.repeat(8001),
      'welcome_message_custom_text is too long (limit: 8000 characters)',
    ],
  ])('May not have `%s` as %s', async (name, value, msg) => {
    const before = await listFor(owner);
    expectRefusal(await tryInvite(owner, { invitee_emails: newAddress(), [name]: value }), msg);
    expect(await listFor(owner)).toEqual(before);
  });

  test('Require an administrator for `welcome_message_custom_text`', async () => {
    const given = { invitee_emails: newAddress(), welcome_message_custom_text: 'Hi' };
    expectRefusal(await tryInvite(member, given), 'Must be an organization administrator', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    expect((await tryInvite(admin, given)).status).toBe(200);
  });
});
