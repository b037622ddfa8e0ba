import { describe, expect, test } from 'vitest';
import { createGroup, deactivate, people } from '#tests/api/user-groups/group-calls.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { mailsTo } from '#tests/harness/mails.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { failed, invitationTo, invite, listFor, newAddress, tryInvite } from './invitation-calls.ts';

const service = await startTestService();
const owner = service.owner;
const member = await createUser(service, 'Member');
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
