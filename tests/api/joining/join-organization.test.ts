import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { join as subscribe } from '#tests/api/channels/channel-calls.ts';
import { drainKinds } from '#tests/api/channels/channel-records.ts';
import { createGroup, deactivate } from '#tests/api/user-groups/group-calls.ts';
import { recordOf } from '#tests/api/user-groups/group-records.ts';
import { sendForm } from '#tests/harness/anonymous.ts';
import { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers, listenAll } from '#tests/harness/scene.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { INVALID, inviteKey, join, joinBy, messagesTo, tryJoin } from './joining-calls.ts';

const service = await startTestService({}, { ownerMayChangeEmails: true });
const { owner } = service;
const admin = await createUser(service, 'Admin', roles.administrator);
const member = await createUser(service, 'Member');
const guest = await createUser(service, 'Guest', roles.guest);

const profileOf = async (client: Client) => (await client.get('/users/me')).body;
const channelsOf = async (client: Client): Promise<number[]> => {
  const { body } = await client.get('/users/me/subscriptions');
  return body.subscriptions.map(({ stream_id }: { stream_id: number }) => stream_id);
};
const invitesTo = async (address: string): Promise<{ id: number }[]> => {
  const { body } = await owner.get('/invites');
  return body.invites.filter(({ email }: { email?: string }) => email === address);
};

describe('A user who accepts an invitation', () => {
  test('Gets an account with the address that was invited, and its API key, by a password of 6 characters', async () => {
    const [{ key, email }, password] = [await inviteKey(service, member), 'q7#Zt!'];
    const { status, body } = await tryJoin(service, { key, full_name: ' Zoë Å ', password });
    expect(status).toBe(200);
    expect(body).toEqual({
      result: 'success',
      msg: '',
      user_id: expect.any(Number),
      email,
      api_key: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
    });
    const client = new Client(service.url, { userId: body.user_id, email, apiKey: body.api_key });
    const profile = { email, full_name: 'Zoë Å', role: roles.member, is_active: true };
    expect(await profileOf(client)).toMatchObject(profile);
    const signIn = await sendForm(service.url, '/fetch_api_key', { username: email, password });
    expect(signIn.body.api_key).toBe(body.api_key);
  });

  test.each([100, 200, 300, 400, 600])('Gets the role %i', async (role) => {
    const client = await join(service, owner, { invite_as: role });
    expect(await profileOf(client)).toMatchObject({ role });
  });

  test('Joins the channels of the invitation, private ones too, but not those archived since', async () => {
    const [open, secret, gone] = [
      await owner.subscribe('open to all'),
      await owner.subscribe('secret', { invite_only: true }),
      await owner.subscribe('soon gone'),
    ];
    const stream_ids = [open, secret, gone];
    const invitation = await inviteKey(service, owner, { stream_ids, invite_as: roles.guest });
    await owner.delete(`/streams/${gone}`);
    const ids = await channelsOf(await joinBy(service, invitation));
    expect(ids.sort()).toEqual([open, secret].sort());
  });

  test('Joins the default channels only if the invitation includes them', async () => {
    const standard = await owner.subscribe('standard', { is_default_stream: true });
    expect(await channelsOf(await join(service, member))).toEqual([]);
    const params = { include_realm_default_subscriptions: true, stream_ids: [standard] };
    expect(await channelsOf(await join(service, member, params))).toEqual([standard]);
    await owner.delete('/default_streams', { stream_id: standard });
  });

  test('Joins many channels, more than two transactions hold', async () => {
    const before = await channelsOf(owner);
    const names = Array.from({ length: 80 }, (_, n) => `one of many ${n}`);
    for (const some of [names.slice(0, 40), names.slice(40)]) await subscribe(owner, some);
    await service.settle();
    const stream_ids = (await channelsOf(owner)).filter((id) => !before.includes(id));
    expect(stream_ids).toHaveLength(80);
    expect(await channelsOf(await join(service, owner, { stream_ids }))).toEqual(stream_ids);
  });

  test('Joins the groups of the invitation, but not those deactivated since', async () => {
    const [staying, leaving] = [await createGroup(owner), await createGroup(owner)];
    const invitation = await inviteKey(service, owner, { group_ids: [staying, leaving] });
    await deactivate(owner, leaving);
    const { userId } = await joinBy(service, invitation);
    expect((await recordOf(owner, staying)).members).toEqual([userId]);
    expect((await recordOf(owner, leaving)).members).toEqual([]);
  });

  test('Gets the private channels that the groups show', async () => {
    const group = await createGroup(owner);
    const params = { invite_only: true, can_add_subscribers_group: group };
    const stream_id = await owner.subscribe('for insiders', params);
    const client = await join(service, owner, { group_ids: [group] });
    const { body } = await client.get('/get_stream_id', { stream: 'for insiders' });
    expect(body).toMatchObject({ stream_id });
  });
});

describe('Joining notifies others', () => {
  test('Sends every user the account, and administrators and the inviter the end of the invitation', async () => {
    const { key } = await inviteKey(service, member);
    const queues = await listenAll([owner, member, guest]);
    await tryJoin(service, { key });
    // The message to the inviter comes later.
    const kinds = await Promise.all(queues.map(drainKinds));
    const account = ['realm_user/add', 'user_group/add_members', 'user_group/add_members'];
    expect(kinds).toEqual([[...account, 'invites_changed'], [...account, 'invites_changed'], account]);
  });

  test('Keeps snapshot and events equal', async () => {
    const secret = await owner.subscribe('welcome too', { invite_only: true });
    const stream_ids = [await owner.subscribe('welcome'), secret];
    const group_ids = [await createGroup(owner)];
    await owner.subscribe('shown', { invite_only: true, can_add_subscribers_group: group_ids[0] });
    const { key } = await inviteKey(service, owner, { stream_ids, group_ids, invite_as: roles.moderator });
    await expectConsistentSnapshot(service, [owner, admin, member, guest], () => tryJoin(service, { key }));
  });

  test('Sends the inviter a notice of the notification bot, unless they turned it off', async () => {
    const inviter = await createUser(service, 'Inviter');
    const before = (await messagesTo(inviter)).length;
    await join(service, inviter, { notify_referrer_on_join: false });
    expect(await messagesTo(inviter)).toHaveLength(before);
    const { userId } = await join(service, inviter, {}, { full_name: 'Comer' });
    const content = `@_**Comer|${userId}** accepted your invitation to join.`;
    const notice = { sender_full_name: 'Notification Bot', content };
    expect((await messagesTo(inviter)).slice(before)).toMatchObject([notice]);
  });

  test('Lets the welcome bot send the text of the inviter, or of the organization', async () => {
    await admin.patch('/realm', { welcome_message_custom_text: 'Ours' });
    const greeting = async (params: object) => {
      const [message] = await messagesTo(await join(service, admin, { ...params }));
      expect(message?.sender_full_name).toBe('Welcome Bot');
      return message?.content.split('\n').slice(3);
    };
    expect(await greeting({})).toEqual(['', 'Ours']);
    expect(await greeting({ welcome_message_custom_text: 'Mine' })).toEqual(['', 'Mine']);
    expect(await greeting({ welcome_message_custom_text: '' })).toEqual([]);
    await admin.patch('/realm', { welcome_message_custom_text: '' });
  });
});

describe('An invitation', () => {
  test('Creates one account, however many requests race', async () => {
    const { key, email } = await inviteKey(service, member);
    const before = (await owner.get('/users')).body.members.length;
    const replies = await Promise.all(Array.from({ length: 8 }, () => tryJoin(service, { key })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of replies)
      if (reply.status !== 200)
        expect([INVALID, `Email '${email}' already in use`]).toContain(reply.body.msg);
    expect((await owner.get('/users')).body.members).toHaveLength(before + 1);
    expectRefusal(await tryJoin(service, { key }), INVALID);
  });

  test('Ends with the account, and so do others to the same address', async () => {
    const invitation = await inviteKey(service, member);
    await admin.post('/invites', { invitee_emails: invitation.email, stream_ids: [] });
    await joinBy(service, invitation);
    expect(await invitesTo(invitation.email)).toEqual([]);
  });

  test('Ends together with at most eight of other inviters, since all of them are one transaction', async () => {
    const invitation = await inviteKey(service, member);
    const others = await createUsers(service, ...Array.from('ABCDEFGHI', (letter) => `Inviter ${letter}`));
    for (const inviter of others)
      await inviter.post('/invites', { invitee_emails: invitation.email, stream_ids: [] });
    await joinBy(service, invitation);
    const remaining = await invitesTo(invitation.email);
    expect(remaining).toHaveLength(1);
    expect((await owner.delete(`/invites/${remaining[0]?.id}`)).status).toBe(200);
  });

  test('Ends if an administrator creates the account', async () => {
    const { key, email } = await inviteKey(service, member);
    await owner.post('/users', { email, password: PASSWORD, full_name: 'Created' });
    expectRefusal(await tryJoin(service, { key }), INVALID);
    expect((await owner.get('/invites')).body.invites).toEqual([]);
  });

  test('Fails after its expiry', async () => {
    const { key } = await inviteKey(service, member, { invite_expires_in_minutes: 1 });
    service.advance(60_000);
    expectRefusal(await tryJoin(service, { key }), INVALID);
  });

  test('Works only with its new key after it was sent again', async () => {
    const { key, email } = await inviteKey(service, member);
    await member.post('/invites', { invitee_emails: email, stream_ids: [] });
    expectRefusal(await tryJoin(service, { key }), INVALID);
  });
});

describe('Joining is refused', () => {
  test('With an unknown key, a slightly changed one, or one of another invitation', async () => {
    const { key } = await inviteKey(service, member);
    const second = await inviteKey(service, member);
    const wrong = key.startsWith('A') ? `B${key.slice(1)}` : `A${key.slice(1)}`;
    const mixed = `${key.slice(0, 32)}${second.key.slice(32)}`;
    const changed = [wrong, mixed, key.slice(0, 32), `${key}1`, key.toLowerCase()];
    for (const other of ['', 'x', '../..', '\0', ...changed])
      expectRefusal(await tryJoin(service, { key: other }), INVALID);
    expect((await tryJoin(service, { key: ` ${key}\n` })).status).toBe(200);
  });

  test.each([
    [{ full_name: 'x' }, 'Name too short!'],
    [{ full_name: '**bold**' }, 'Invalid characters in name!'],
    [{ password: 'short' }, 'password is too short.'],
    [{ password: 'x'.repeat(101) }, 'password is too long (limit: 100 characters)'],
    [{ password: 'password' }, 'The password is too weak.'],
  ])('With %j, and may be tried again', async (profile, msg) => {
    const { key } = await inviteKey(service, member);
    expectRefusal(await tryJoin(service, { key, ...profile } as Record<string, string>), msg);
    expect((await tryJoin(service, { key })).status).toBe(200);
  });

  test('Under the name of another user if names have to be unique', async () => {
    await owner.patch('/realm', { require_unique_names: true });
    const { key } = await inviteKey(service, member);
    const refused = await tryJoin(service, { key, full_name: 'MEMBER' });
    expectRefusal(refused, 'Unique names required in this organization.');
    await owner.patch('/realm', { require_unique_names: false });
  });

  test('With an address that the organization has forbidden since', async () => {
    const { key, email } = await inviteKey(service, member);
    await owner.post('/realm/domains', { domain: 'ours.example.org' });
    await owner.patch('/realm', { emails_restricted_to_domains: true });
    expectRefusal(await tryJoin(service, { key }), `Email '${email}' not allowed in this organization`);
    await owner.patch('/realm', { emails_restricted_to_domains: false });
  });

  test('With an address that another account has got meanwhile', async () => {
    const { key, email } = await inviteKey(service, member);
    const { userId } = await createUser(service, 'Mover');
    expect((await owner.patch(`/users/${userId}`, { new_email: email })).status).toBe(200);
    expectRefusal(await tryJoin(service, { key }), `Email '${email}' already in use`);
  });
});
