// The operations confirmAddress and getInvitation.
import { beforeEach, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { send } from '#tests/harness/anonymous.ts';
import type { Client } from '#tests/harness/client.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { keyOf, mailsTo } from '#tests/harness/mails.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import {
  confirm,
  INVALID,
  inviteKey,
  joinBy,
  linkKeyOf,
  messagesTo,
  newAddress,
  tryConfirm,
  tryJoin,
} from './joining-calls.ts';

const DAY_SECONDS = 24 * 3600;

/** The key of the current test's link for many people. */
let key: string;
const service = await startTestService();
const { owner } = service;
beforeEach(async () => {
  key = await linkKeyOf(owner);
});
const profileOf = async (client: Client) => (await client.get('/users/me')).body;
const subscriptionsOf = async (client: Client) =>
  (await client.get('/users/me/subscriptions')).body.subscriptions;
const look = (invitation: string) => send(service.url, `/join?key=${encodeURIComponent(invitation)}`);
const requireInvitations = (invite_required: boolean) => owner.patch('/realm', { invite_required });

describe('Joining by a link for many people', () => {
  test('Works for everybody whose address received the mail, with the rights of the link', async () => {
    const stream_id = await owner.subscribe('secret', { invite_only: true });
    const link = { key: await linkKeyOf(owner, { invite_as: roles.guest, stream_ids: [stream_id] }) };
    await service.settle();
    const before = (await messagesTo(owner)).length;
    for (let n = 0; n < 2; n++) {
      const address = await confirm(service, link);
      const client = await joinBy(service, address);
      expect(await profileOf(client)).toMatchObject({ role: roles.guest, email: address.email });
      expect(await subscriptionsOf(client)).toMatchObject([{ stream_id }]);
    }
    expect((await messagesTo(owner)).length).toBe(before + 2);
  });

  test('Requires a confirmed address', async () => {
    const refusal = 'This link is for many people: prove your e-mail address first, and join by the mail.';
    expectRefusal(await tryJoin(service, { key }), refusal);
  });

  test('Works once and for a day with each mail', async () => {
    const first = await confirm(service, { key });
    await joinBy(service, first);
    expectRefusal(await tryJoin(service, { key: first.key }), INVALID);
    const second = await confirm(service, { key });
    service.advance(DAY_SECONDS * 1000);
    expectRefusal(await tryJoin(service, { key: second.key }), INVALID);
  });

  test('Works no longer than the link', async () => {
    const link = { key: await linkKeyOf(owner, { invite_expires_in_minutes: 5 }) };
    const address = await confirm(service, link);
    service.advance(5 * 60_000);
    expectRefusal(await tryJoin(service, { key: address.key }), INVALID);
  });

  test('Leaves confirmations out of every list', async () => {
    const { email } = await confirm(service, { key });
    const { body } = await owner.get('/invites');
    expect(JSON.stringify(body)).not.toContain(email);
  });

  test('Sends an existing account a mail, and the reply is the same', async () => {
    const member = await createUser(service, 'Known');
    const { status, body } = await tryConfirm(service, { key, email: member.email });
    expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
    await service.settle();
    const [mail] = mailsTo(service, member.email);
    expect(mail?.subject).toBe('You already have an account at Team Chat');
    expect(keyOf(mail?.content ?? '')).toBeUndefined();
  });
});

describe('Joining without an invitation', () => {
  test('Fails as long as the organization requires one', async () => {
    const email = newAddress();
    expectRefusal(await tryConfirm(service, { email }), 'An invitation is needed to join this organization.');
    expect(mailsTo(service, email)).toEqual([]);
  });

  test('Works for everyone as a member otherwise, with the default channels', async () => {
    const stream_id = await owner.subscribe('standard', { is_default_stream: true });
    await requireInvitations(false);
    const address = await confirm(service);
    expect(mailsTo(service, address.email)[0]?.subject).toBe('Confirm your email for Team Chat');
    const client = await joinBy(service, address);
    expect((await profileOf(client)).role).toBe(roles.member);
    expect(await subscriptionsOf(client)).toMatchObject([{ stream_id }]);
  });

  test('Fails with earlier mails once the organization requires an invitation again', async () => {
    await requireInvitations(false);
    const earlier = await confirm(service);
    await requireInvitations(true);
    expectRefusal(await tryJoin(service, { key: earlier.key }), INVALID);
  });
});

describe('No confirmation is mailed', () => {
  test.each([
    ['no address', 'Enter a valid email address.'],
    ['a@example.com\r\nBcc: b@example.com', 'Enter a valid email address.'],
    ['a@mailinator.com', "Email 'a@mailinator.com' not allowed in this organization"],
    ['user9@127.0.0.1', "Email 'user9@127.0.0.1' not allowed in this organization"],
  ])('To %j', async (email, msg) => {
    expectRefusal(await tryConfirm(service, { key, email }), msg);
  });

  test('For the key of an invitation that is for another user, or missing', async () => {
    const personal = await inviteKey(service, owner);
    for (const wrong of [personal.key, 'x', '', `${key}0`])
      expectRefusal(await tryConfirm(service, { key: wrong, email: newAddress() }), INVALID);
  });

  test('More than five times a day to one address, for any caller', async () => {
    const email = newAddress();
    for (let n = 0; n < 5; n++) expect((await tryConfirm(service, { key, email })).status).toBe(200);
    const { status, body, headers } = await tryConfirm(service, { key, email: email.toUpperCase() });
    expect([status, body.code]).toEqual([429, 'RATE_LIMIT_HIT']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(DAY_SECONDS - 60);
    await service.settle();
    expect(mailsTo(service, email)).toHaveLength(5);
  });
});

test('Confirmations by a link count for the link; others count for the network address', async () => {
  const confirmationsBy = { limit: 3, windowSeconds: 60 };
  const confirmationsFrom = { limit: 2, windowSeconds: 60 };
  const { mailLimits } = service.services.config;
  const few = await startTestService({ mailLimits: { ...mailLimits, confirmationsBy, confirmationsFrom } });
  const statusesOf = async (count: number, link: { key?: string } = {}) => {
    const statuses: number[] = [];
    for (let n = 0; n < count; n++)
      statuses.push((await tryConfirm(few, { ...link, email: newAddress() })).status);
    return statuses;
  };
  expect(await statusesOf(4, { key: await linkKeyOf(few.owner) })).toEqual([200, 200, 200, 429]);
  await few.owner.patch('/realm', { invite_required: false });
  expect(await statusesOf(3)).toEqual([200, 200, 429]);
  few.advance(61_000);
  expect(await statusesOf(1)).toEqual([200]);
});

test('The reply costs as much and reads the same, whether the address has an account or not', async () => {
  const member = await createUser(service, 'Present');
  const cost = async (email: string) => {
    await service.settle();
    const release = holdJobs(service);
    service.meter.reset();
    const { status, body } = await tryConfirm(service, { key, email });
    const { read, write } = service.meter;
    await release();
    return { status, body, read, write };
  };
  await cost(newAddress());
  expect(await cost(member.email)).toEqual(await cost(newAddress()));
  expect(mailsTo(service, member.email)).toHaveLength(1);
});

test('An inviter who is deactivated before the notice of a joining is written gets none', async () => {
  const leaver = await createUser(service, 'Inviter', roles.administrator);
  const invitation = await inviteKey(service, leaver);
  const release = holdJobs(service);
  expect((await tryJoin(service, { key: invitation.key })).status).toBe(200);
  await owner.delete(`/users/${leaver.userId}`);
  await release();
  await owner.post(`/users/${leaver.userId}/reactivate`);
  await service.settle();
  const messages = await messagesTo(await service.clientOf(leaver.email));
  expect(messages.filter(({ content }) => content.includes('accepted your invitation'))).toEqual([]);
  expect(await profileOf(await service.clientOf(invitation.email))).toMatchObject({ is_active: true });
});

test('Invitations, links and confirmations of a deactivated inviter fail even before the job revokes them', async () => {
  const leaver = await createUser(service, 'Leaver', roles.administrator);
  const link = { key: await linkKeyOf(leaver) };
  const keys = [(await inviteKey(service, leaver)).key, (await confirm(service, link)).key];
  const release = holdJobs(service);
  expect((await owner.delete(`/users/${leaver.userId}`)).status).toBe(200);
  for (const personal of keys) {
    expectRefusal(await tryJoin(service, { key: personal }), INVALID);
    expectRefusal(await look(personal), INVALID);
  }
  expectRefusal(await tryConfirm(service, { ...link, email: newAddress() }), INVALID);
  await release();
});

describe('The holder of a key', () => {
  test('Reads the invitation', async () => {
    const invitation = await inviteKey(service, owner, { invite_as: roles.guest });
    expect((await look(invitation.key)).body).toEqual({
      result: 'success',
      msg: '',
      realm_name: 'Team Chat',
      invited_by_full_name: 'Owner',
      invited_as: roles.guest,
      email: invitation.email,
      expiry_date: expect.any(Number),
      is_multiuse: false,
    });
  });

  test('Reads no address from a link for many people', async () => {
    const { body } = await look(await linkKeyOf(owner, { invite_expires_in_minutes: null }));
    expect(body).toMatchObject({ email: null, expiry_date: null, is_multiuse: true });
  });

  test('Reads no inviter if the address was confirmed without an invitation', async () => {
    await requireInvitations(false);
    const { key: mailed, email } = await confirm(service);
    const { body } = await look(mailed);
    await requireInvitations(true);
    expect(body).toMatchObject({ invited_by_full_name: null, invited_as: roles.member, email });
  });

  test('Reads as often as they like until the invitation ends', async () => {
    const invitation = await inviteKey(service, owner);
    for (let n = 0; n < 3; n++) expect((await look(invitation.key)).status).toBe(200);
    await joinBy(service, invitation);
    expectRefusal(await look(invitation.key), INVALID);
  });

  test('Gets the same answer for an expired key as for every other text', async () => {
    const expired = await inviteKey(service, owner, { invite_expires_in_minutes: 1 });
    service.advance(61_000);
    for (const wrong of ['', 'x', `${'A'.repeat(32)}1`, `${'A'.repeat(32)}99999`, expired.key])
      expectRefusal(await look(wrong), INVALID);
  });
});
