import { describe, expect, test } from 'vitest';
import type { Reply } from '#tests/harness/client.ts';
import { mailsTo } from '#tests/harness/mails.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { invitationTo, listFor, newAddress, tryInvite } from './invitation-calls.ts';

const service = await startTestService();
const owner = service.owner;
const member = await createUser(service, 'Member');
const gone = await createUser(service, 'Gone');
await service.deactivate(gone);

const failed = (errors: unknown[], fields: object = {}) => ({
  code: 'INVITATION_FAILED',
  errors,
  sent_invitations: false,
  license_limit_reached: false,
  daily_limit_reached: false,
  ...fields,
});
const NOT_VALID = "Some emails did not validate, so we didn't send any invitations.";
const NO_ONE = "We weren't able to invite anyone.";
const SOME =
  "Some of those addresses are already using this organization, so we didn't send them an invitation. We did send invitations to everyone else!";

/** The call is refused, and no user is invited. */
async function expectNobody(call: Promise<Reply>, msg: string, fields: object): Promise<void> {
  const before = await listFor(owner);
  expectRefusal(await call, msg, { ...fields });
  expect(await listFor(owner)).toEqual(before);
}

describe('Addresses that cannot be invited', () => {
  test('Fail the call, together with addresses of accounts, and no user is invited', async () => {
    const [good, bad] = [newAddress(), 'no address'];
    await expectNobody(
      tryInvite(member, { invitee_emails: [good, bad, member.email, gone.email].join(',') }),
      NOT_VALID,
      failed([
        [bad, 'Enter a valid email address.', false],
        [member.email, 'Already has an account.', false],
        [gone.email, 'Account has been deactivated.', true],
      ]),
    );
  });

  test.each(['user7@127.0.0.1', 'someone@mailinator.com'])('Include %s', async (email) => {
    await expectNobody(
      tryInvite(member, { invitee_emails: email }),
      NOT_VALID,
      failed([[email, `Email '${email}' not allowed in this organization`, false]]),
    );
  });

  test('Include those outside of the organization’s domains, while it is restricted', async () => {
    await owner.post('/realm/domains', { domain: 'ours.example.org' });
    await owner.patch('/realm', { emails_restricted_to_domains: true });
    const email = newAddress();
    await expectNobody(
      tryInvite(member, { invitee_emails: email }),
      NOT_VALID,
      failed([[email, `Email '${email}' not allowed in this organization`, false]]),
    );
    // An account from before the restriction is named once, with the reason that goes for all.
    await expectNobody(
      tryInvite(member, { invitee_emails: gone.email }),
      NOT_VALID,
      failed([[gone.email, `Email '${gone.email}' not allowed in this organization`, false]]),
    );
    expect((await tryInvite(member, { invitee_emails: 'a@ours.example.org' })).status).toBe(200);
    await owner.patch('/realm', { emails_restricted_to_domains: false });
  });
});

describe('Addresses of accounts', () => {
  test('Fail the call if there are no others', async () => {
    await expectNobody(
      tryInvite(member, { invitee_emails: `${gone.email},${owner.email.toUpperCase()}` }),
      NO_ONE,
      failed([
        [gone.email, 'Account has been deactivated.', true],
        [owner.email.toUpperCase(), 'Already has an account.', false],
      ]),
    );
  });

  test('Include reserved addresses of the service’s bots', async () => {
    const email = 'welcome-bot@127.0.0.1';
    await expectNobody(
      tryInvite(member, { invitee_emails: email }),
      NO_ONE,
      failed([[email, 'Reserved for system bots.', false]]),
    );
  });

  test('Appear in the reply if others are invited', async () => {
    const email = newAddress();
    const reply = await tryInvite(member, { invitee_emails: `${owner.email},${email}` });
    expectRefusal(
      reply,
      SOME,
      failed([[owner.email, 'Already has an account.', false]], { sent_invitations: true }),
    );
    await service.settle();
    expect(await invitationTo(member, email)).toBeDefined();
    expect(mailsTo(service, email)).toHaveLength(1);
    expect(mailsTo(service, owner.email)).toEqual([]);
  });
});

describe('The right to invite people', () => {
  test('Belongs to the group in `can_invite_users_group`', async () => {
    await owner.patch('/realm', { can_invite_users_group: { new: 3 } });
    await expectNobody(tryInvite(member, { invitee_emails: newAddress() }), 'Insufficient permission', {
      code: 'BAD_REQUEST',
    });
    expect((await tryInvite(owner, { invitee_emails: newAddress() })).status).toBe(200);
    const setting = { direct_members: [member.userId], direct_subgroups: [] };
    await owner.patch('/realm', { can_invite_users_group: { new: setting } });
    expect((await tryInvite(member, { invitee_emails: newAddress() })).status).toBe(200);
    await owner.patch('/realm', { can_invite_users_group: { new: 6 } });
  });
});

describe('Channels of an invitation', () => {
  const INTO = 'You do not have permission to subscribe other users to channels.';
  const unknown = (id: number) => `Invalid channel ID ${id}. No invites were sent.`;

  test('Must exist and be active', async () => {
    const archived = await owner.subscribe('archived');
    await owner.delete(`/streams/${archived}`);
    for (const id of [999_999, archived])
      await expectNobody(tryInvite(owner, { invitee_emails: newAddress(), stream_ids: [id] }), unknown(id), {
        code: 'BAD_REQUEST',
      });
  });

  test('Must be ones to which the caller may subscribe others', async () => {
    const open = await owner.subscribe('open');
    const params = () => ({ invitee_emails: newAddress(), stream_ids: [open] });
    expect((await tryInvite(member, params())).status).toBe(200);
    await owner.patch('/realm', { can_add_subscribers_group: { new: 3 } });
    await expectNobody(tryInvite(member, params()), INTO, { code: 'BAD_REQUEST' });
    expect((await tryInvite(owner, params())).status).toBe(200);
    const defaults = { invitee_emails: newAddress(), include_realm_default_subscriptions: true };
    expect((await tryInvite(member, defaults)).status).toBe(200);
    await owner.patch('/realm', { can_add_subscribers_group: { new: 6 } });
  });
});

describe('Groups of an invitation', () => {
  const createGroup = async (name: string, params = {}): Promise<number> => {
    const { body } = await owner.post('/user_groups/create', {
      name,
      description: '',
      members: [],
      ...params,
    });
    return body.group_id;
  };

  test.each([
    [999_999, 'Invalid user group'],
    [3, 'Insufficient permission'],
  ])('Cannot be %i', async (id, msg) => {
    await expectNobody(tryInvite(owner, { invitee_emails: newAddress(), group_ids: [id] }), msg, {
      code: 'BAD_REQUEST',
    });
  });

  test('Must be active', async () => {
    const id = await createGroup('left');
    await owner.post(`/user_groups/${id}/deactivate`);
    await expectNobody(
      tryInvite(owner, { invitee_emails: newAddress(), group_ids: [id] }),
      'User group is deactivated.',
      { code: 'BAD_REQUEST' },
    );
  });

  test('Must be ones to which the caller may add members, and not only themselves', async () => {
    const id = await createGroup('closed', { can_join_group: 6 });
    await expectNobody(
      tryInvite(member, { invitee_emails: newAddress(), group_ids: [id] }),
      'Insufficient permission',
      { code: 'BAD_REQUEST' },
    );
    expect((await tryInvite(owner, { invitee_emails: newAddress(), group_ids: [id] })).status).toBe(200);
  });
});
