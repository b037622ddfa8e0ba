import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { mailsTo } from '#tests/harness/mails.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { expectChanges, invitationTo, invite, listFor, newAddress, tryInvite } from './invitation-calls.ts';

const DAY_SECONDS = 24 * 3600;

const service = await startTestService();
const { owner } = service;
const admin = await createUser(service, 'Admin', roles.administrator);
const member = await createUser(service, 'Member');
const other = await createUser(service, 'Other');
const guest = await createUser(service, 'Guest', roles.guest);

/** The member's invitations to an address in any letter case. */
const invitationsTo = async (address: string) =>
  (await listFor(member)).filter(({ email }) => email?.toLowerCase() === address);

describe('An invitation by e-mail', () => {
  test('Appears in the list with its parameters, and is mailed to its address', async () => {
    const email = newAddress();
    const before = Math.floor(Date.now() / 1000);
    expect((await tryInvite(member, { invitee_emails: email })).status).toBe(200);
    const invitation = await invitationTo(member, email);
    expect(invitation).toEqual({
      id: expect.any(Number),
      email,
      invited_by_user_id: member.userId,
      invited: expect.any(Number),
      expiry_date: (invitation?.invited ?? 0) + 10 * DAY_SECONDS,
      invited_as: roles.member,
      notify_referrer_on_join: true,
      is_multiuse: false,
    });
    expect(invitation?.invited).toBeGreaterThanOrEqual(before);
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
    ['commas, with names before them', (all: string[]) => `A Person <${all.join('>, A Person <')}>`],
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
    expect(await invitationsTo(email)).toHaveLength(1);
  });

  test('Replaces an earlier one of the same inviter to the same address', async () => {
    const first = await invite(member);
    await tryInvite(member, { invitee_emails: first.email.toUpperCase(), invite_as: roles.guest });
    const again = await invitationsTo(first.email);
    expect(again).toMatchObject([{ invited_as: roles.guest }]);
    expect(again[0]?.id).not.toBe(first.id);
  });

  test('Leaves invitations of others to the same address alone', async () => {
    const { email } = await invite(member);
    await tryInvite(other, { invitee_emails: email });
    for (const inviter of [member, other]) expect(await invitationTo(inviter, email)).toBeDefined();
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
    const queues = await Promise.all(observers.map((client) => client.listen()));
    await invite(member);
    await expectChanges(queues, [1, 1, 1, 0, 0]);
  });

  test('Keeps snapshot and events equal', async () => {
    await expectConsistentSnapshot(service, [owner, admin, member, guest], () => invite(member));
  });
});

describe('The roles that a user may grant by an invitation', () => {
  test.each([
    ['owner', owner, [100, 200, 300, 400, 600]],
    ['administrator', admin, [200, 300, 400, 600]],
    ['member', member, [400, 600]],
  ])('As %s', async (_, client, allowed) => {
    for (const role of [100, 200, 300, 400, 600]) {
      const email = newAddress();
      const reply = await tryInvite(client, { invitee_emails: email, invite_as: role });
      const msg = `Must be an organization ${role === 100 ? 'owner' : 'administrator'}`;
      if (allowed.includes(role))
        expect(await invitationTo(client, email)).toMatchObject({ invited_as: role });
      else expectRefusal(reply, msg, { code: 'UNAUTHORIZED_PRINCIPAL' });
    }
  });
});

describe('Parameters of an invitation', () => {
  const many = Array.from({ length: 501 }, (_, n) => n);
  const addresses = Array.from({ length: 101 }, (_, n) => `p${n}@example.com`);
  const text = 'welcome_message_custom_text';
  test.each([
    ...['', ' ', ',,\n,', '<>'].map((none) => [
      'invitee_emails',
      none,
      'You must specify at least one email address.',
    ]),
    ['invitee_emails', addresses.join(','), 'Too many email addresses in one request (maximum 100).'],
    ['stream_ids', JSON.stringify(many), 'stream_ids names too many channels (maximum 500).'],
    ['invite_as', '500', 'Invalid invite_as'],
    ['invite_expires_in_minutes', '0', 'invite_expires_in_minutes is too small'],
    ['invite_expires_in_minutes', '5256001', 'invite_expires_in_minutes is too large'],
    [text, 'x'.repeat(8001), `${text} is too long (limit: 8000 characters)`],
  ])('May not have `%s` as %s', async (name, value, msg) => {
    const before = await listFor(owner);
    expectRefusal(
      await tryInvite(owner, { invitee_emails: newAddress(), [name as string]: value }),
      msg as string,
    );
    expect(await listFor(owner)).toEqual(before);
  });

  test('Require an administrator for `welcome_message_custom_text`', async () => {
    const params = { invitee_emails: newAddress(), [text]: 'Hi' };
    const code = 'UNAUTHORIZED_PRINCIPAL';
    expectRefusal(await tryInvite(member, params), 'Must be an organization administrator', { code });
    expect((await tryInvite(admin, params)).status).toBe(200);
  });
});
