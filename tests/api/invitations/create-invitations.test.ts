import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Key } from '#shared/table/keys/key.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { createGroup, deactivate, people } from '#tests/api/user-groups/group-calls.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { interrupt } from '#tests/harness/interruption.ts';
import { mailsTo } from '#tests/harness/mails.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import {
  expectChanges,
  failed,
  invitationTo,
  invite,
  listFor,
  newAddress,
  tryInvite,
} from './invitation-calls.ts';

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

const COUNTER = organizationKeys.counter('invitation');

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

  test('Ends as long after its beginning if the call takes seconds', async () => {
    const isCounted = ({ pk, sk }: Key) => pk === COUNTER.pk && sk === COUNTER.sk;
    const late = interrupt(service, { increment: isCounted }, () => service.advance(5_000));
    const { invited, expiry_date } = await invite(member, { invite_expires_in_minutes: 1 });
    expect(late.hasHappened()).toBe(true);
    expect(expiry_date).toBe(invited + 60);
  });

  test('Stores whether its inviter wants a notice', async () => {
    const { notify_referrer_on_join } = await invite(member, { notify_referrer_on_join: false });
    expect(notify_referrer_on_join).toBe(false);
  });

  test('Notifies administrators and its inviter, and no other user', async () => {
    const observers = [owner, admin, member, other, guest];
    const queues = await listenAll(observers);
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

const gone = await createUser(service, 'Gone');
await service.deactivate(gone);

const NOT_VALID = "Some emails did not validate, so we didn't send any invitations.";
const NO_ONE = "We weren't able to invite anyone.";
const SOME =
  "Some of those addresses are already using this organization, so we didn't send them an invitation. We did send invitations to everyone else!";

/** The call is refused, and no user is invited. */
async function expectNobody(by: Client, params: Params, msg: string, fields: Params = {}): Promise<void> {
  const before = await listFor(owner);
  expectRefusal(await tryInvite(by, { invitee_emails: newAddress(), ...params }), msg, fields);
  expect(await listFor(owner)).toEqual(before);
}

/** No one is invited because of these addresses, each with its reason. */
const expectInvalid = (invitee_emails: string, msg: string, ...errors: [string, string, boolean][]) =>
  expectNobody(member, { invitee_emails }, msg, failed(errors));

const notAllowed = (email: string): [string, string, boolean] => [
  email,
  `Email '${email}' not allowed in this organization`,
  false,
];
const EXISTS = 'Already has an account.';
const DEACTIVATED = 'Account has been deactivated.';

describe('Addresses that cannot be invited', () => {
  test('Fail the call, together with addresses of accounts, and no user is invited', async () => {
    const [good, bad] = [newAddress(), 'no address'];
    await expectInvalid(
      [good, bad, member.email, gone.email].join(','),
      NOT_VALID,
      [bad, 'Enter a valid email address.', false],
      [member.email, EXISTS, false],
      [gone.email, DEACTIVATED, true],
    );
  });

  test.each(['user7@127.0.0.1', 'someone@mailinator.com'])('Include %s', async (email) => {
    await expectInvalid(email, NOT_VALID, notAllowed(email));
  });

  test('Include those outside of the organization’s domains, while it is restricted', async () => {
    await owner.post('/realm/domains', { domain: 'ours.example.org' });
    await owner.patch('/realm', { emails_restricted_to_domains: true });
    // An account from before the restriction is named once, with the reason that applies to all.
    for (const email of [newAddress(), gone.email]) await expectInvalid(email, NOT_VALID, notAllowed(email));
    expect((await tryInvite(member, { invitee_emails: 'a@ours.example.org' })).status).toBe(200);
    await owner.patch('/realm', { emails_restricted_to_domains: false });
  });
});

describe('Addresses of accounts', () => {
  test('Fail the call if there are no others', async () => {
    const [deactivated, active] = [gone.email, owner.email.toUpperCase()];
    const errors = [[deactivated, DEACTIVATED, true] as const, [active, EXISTS, false] as const];
    await expectNobody(member, { invitee_emails: `${deactivated},${active}` }, NO_ONE, failed(errors));
  });

  test('Include reserved addresses of the service’s bots', async () => {
    const email = 'welcome-bot@127.0.0.1';
    await expectInvalid(email, NO_ONE, [email, 'Reserved for system bots.', false]);
  });

  test('Appear in the reply if others are invited', async () => {
    const email = newAddress();
    const reply = await tryInvite(member, { invitee_emails: `${owner.email},${email}` });
    expectRefusal(reply, SOME, failed([[owner.email, EXISTS, false]], { sent_invitations: true }));
    await service.settle();
    expect(await invitationTo(member, email)).toBeDefined();
    expect(mailsTo(service, email)).toHaveLength(1);
    expect(mailsTo(service, owner.email)).toEqual([]);
  });
});

test('The right to invite people belongs to the group in `can_invite_users_group`', async () => {
  await owner.patch('/realm', { can_invite_users_group: { new: 3 } });
  await expectNobody(member, {}, 'Insufficient permission');
  await invite(owner);
  await owner.patch('/realm', { can_invite_users_group: { new: people(member) } });
  await invite(member);
  await owner.patch('/realm', { can_invite_users_group: { new: 6 } });
});

describe('Channels of an invitation', () => {
  const INTO = 'You do not have permission to subscribe other users to channels.';
  const unknown = (id: number) => `Invalid channel ID ${id}. No invites were sent.`;

  test('Must exist and be active', async () => {
    const archived = await owner.subscribe('archived');
    await owner.delete(`/streams/${archived}`);
    for (const id of [999_999, archived]) await expectNobody(owner, { stream_ids: [id] }, unknown(id));
  });

  test('Must be ones to which the caller may subscribe others', async () => {
    const stream_ids = [await owner.subscribe('open')];
    await invite(member, { stream_ids });
    await owner.patch('/realm', { can_add_subscribers_group: { new: 3 } });
    await expectNobody(member, { stream_ids }, INTO);
    await invite(owner, { stream_ids });
    await invite(member, { include_realm_default_subscriptions: true });
    await owner.patch('/realm', { can_add_subscribers_group: { new: 6 } });
  });
});

describe('Groups of an invitation', () => {
  test('Must exist, be active and have been made by people', async () => {
    const inactive = await createGroup(owner);
    await deactivate(owner, inactive);
    for (const [id, msg] of [
      [999_999, 'Invalid user group'],
      [3, 'Insufficient permission'],
      [inactive, 'User group is deactivated.'],
    ] as const)
      await expectNobody(owner, { group_ids: [id] }, msg);
  });

  test('Must be ones to which the caller may add members, and not only themselves', async () => {
    const group_ids = [await createGroup(owner, [], { can_join_group: 6 })];
    await expectNobody(member, { group_ids }, 'Insufficient permission');
    await invite(owner, { group_ids });
  });
});
