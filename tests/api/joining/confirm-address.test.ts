import { beforeEach, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { sendTo } from '#tests/harness/anonymous.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { keyMailedTo, keyOf, mailsTo } from '#tests/harness/mails.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { INVALID, inviteKey, joinBy, messagesTo, newAddress, tryConfirm, tryJoin } from './joining-calls.ts';

const DAY_SECONDS = 24 * 3600;

let linkKey: string;
const service = await startTestService();
const owner = service.owner;
const channelId = await owner.subscribe('secret', { invite_only: true });
beforeEach(async () => {
  linkKey = await makeKey({});
});

async function makeKey(params: object): Promise<string> {
  const { body } = await owner.post('/invites/multiuse', { ...params });
  return keyOf(body.invite_link) ?? '';
}

async function confirm(key: string, email = newAddress()): Promise<{ key: string; email: string }> {
  const { status, body } = await tryConfirm(service, { key, email });
  expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
  await service.settle();
  return { key: keyMailedTo(service, email), email };
}

describe('Joining by a link for many people', () => {
  test('Works for everybody whose address received the mail, with the rights of the link', async () => {
    const key = await makeKey({ invite_as: roles.guest, stream_ids: [channelId] });
    await service.settle();
    const before = (await messagesTo(owner)).length;
    for (let n = 0; n < 2; n++) {
      const confirmed = await confirm(key);
      const client = await joinBy(service, confirmed.key, confirmed.email);
      expect((await client.get('/users/me')).body).toMatchObject({
        role: roles.guest,
        email: confirmed.email,
      });
      const { body } = await client.get('/users/me/subscriptions');
      expect(body.subscriptions).toMatchObject([{ stream_id: channelId }]);
    }
    expect((await messagesTo(owner)).length).toBe(before + 2);
  });

  test('Requires a confirmed address', async () => {
    expectRefusal(
      await tryJoin(service, { key: linkKey }),
      'This link is for many people: prove your e-mail address first, and join by the mail.',
    );
  });

  test('Works once and for a day with each mail', async () => {
    const first = await confirm(linkKey);
    await joinBy(service, first.key, first.email);
    expectRefusal(await tryJoin(service, { key: first.key }), INVALID);
    const second = await confirm(linkKey);
    service.advance(DAY_SECONDS * 1000);
    expectRefusal(await tryJoin(service, { key: second.key }), INVALID);
  });

  test('Works no longer than the link', async () => {
    const { key } = await confirm(await makeKey({ invite_expires_in_minutes: 5 }));
    service.advance(5 * 60_000);
    expectRefusal(await tryJoin(service, { key }), INVALID);
  });

  test('Leaves confirmations out of every list', async () => {
    const { email } = await confirm(linkKey);
    const { body } = await owner.get('/invites');
    expect(JSON.stringify(body)).not.toContain(email);
  });

  test('Sends an existing account a mail, and the reply is the same', async () => {
    const member = await createUser(service, 'Known');
    const { status, body } = await tryConfirm(service, { key: linkKey, email: member.email });
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
    const standard = await owner.subscribe('standard', { is_default_stream: true });
    await owner.patch('/realm', { invite_required: false });
    const email = newAddress();
    expect((await tryConfirm(service, { email })).status).toBe(200);
    await service.settle();
    expect(mailsTo(service, email)[0]?.subject).toBe('Confirm your email for Team Chat');
    const client = await joinBy(service, keyMailedTo(service, email), email);
    expect((await client.get('/users/me')).body.role).toBe(roles.member);
    const { body } = await client.get('/users/me/subscriptions');
    expect(body.subscriptions).toMatchObject([{ stream_id: standard }]);
  });

  test('Fails with earlier mails once the organization requires an invitation again', async () => {
    await owner.patch('/realm', { invite_required: false });
    const email = newAddress();
    await tryConfirm(service, { email });
    await service.settle();
    await owner.patch('/realm', { invite_required: true });
    expectRefusal(await tryJoin(service, { key: keyMailedTo(service, email) }), INVALID);
  });
});

describe('No confirmation is mailed', () => {
  test.each([
    ['no address', 'Enter a valid email address.'],
    ['a@example.com\r\nBcc: b@example.com', 'Enter a valid email address.'],
    ['a@mailinator.com', "Email 'a@mailinator.com' not allowed in this organization"],
    ['user9@127.0.0.1', "Email 'user9@127.0.0.1' not allowed in this organization"],
  ])('To %j', async (email, msg) => {
    expectRefusal(await tryConfirm(service, { key: linkKey, email }), msg);
  });

  test('For the key of an invitation that is for another user, or missing', async () => {
    const { key } = await inviteKey(service, owner);
    for (const one of [key, 'x', '', `${linkKey}0`])
      expectRefusal(await tryConfirm(service, { key: one, email: newAddress() }), INVALID);
  });

  test('More than five times a day to one address, for any caller', async () => {
    const email = newAddress();
    for (let n = 0; n < 5; n++) expect((await tryConfirm(service, { key: linkKey, email })).status).toBe(200);
    const { status, body, headers } = await tryConfirm(service, { key: linkKey, email: email.toUpperCase() });
    expect([status, body.code]).toEqual([429, 'RATE_LIMIT_HIT']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(DAY_SECONDS - 60);
    await service.settle();
    expect(mailsTo(service, email)).toHaveLength(5);
  });
});

test('Confirmations by a link count for the link, and not for the network', async () => {
  const limit = { limit: 2, windowSeconds: 60 };
  const few = await startTestService({
    mailLimits: {
      ...service.services.config.mailLimits,
      confirmationsFrom: limit,
      confirmationsBy: { limit: 3, windowSeconds: 60 },
    },
  });
  const key = keyOf((await few.owner.post('/invites/multiuse')).body.invite_link) ?? '';
  const statuses: number[] = [];
  for (let n = 0; n < 4; n++) statuses.push((await tryConfirm(few, { key, email: newAddress() })).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  await few.stop();
});

test('A network address can request confirmations up to its limit', async () => {
  const few = await startTestService({
    mailLimits: { ...service.services.config.mailLimits, confirmationsFrom: { limit: 2, windowSeconds: 60 } },
  });
  try {
    await few.owner.patch('/realm', { invite_required: false });
    const statuses: number[] = [];
    for (let n = 0; n < 3; n++) statuses.push((await tryConfirm(few, { email: newAddress() })).status);
    expect(statuses).toEqual([200, 200, 429]);
    few.advance(61_000);
    expect((await tryConfirm(few, { email: newAddress() })).status).toBe(200);
  } finally {
    await few.stop();
  }
});

test('The reply costs as much and reads the same, whether the address has an account or not', async () => {
  const member = await createUser(service, 'Present');
  const cost = async (email: string) => {
    await service.settle();
    const release = holdJobs(service);
    service.meter.reset();
    const { status, body } = await tryConfirm(service, { key: linkKey, email });
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
  const { key, email } = await inviteKey(service, leaver);
  const release = holdJobs(service);
  expect((await tryJoin(service, { key })).status).toBe(200);
  await owner.delete(`/users/${leaver.userId}`);
  await release();
  await owner.post(`/users/${leaver.userId}/reactivate`);
  await service.settle();
  const messages = await messagesTo(await service.clientOf(leaver.email));
  expect(messages.filter(({ content }) => content.includes('accepted your invitation'))).toEqual([]);
  expect((await (await service.clientOf(email)).get('/users/me')).status).toBe(200);
});

test('Invitations, links and confirmations of a deactivated inviter fail even before the job revokes them', async () => {
  const leaver = await createUser(service, 'Leaver', roles.administrator);
  const { key } = await inviteKey(service, leaver);
  const link = keyOf((await leaver.post('/invites/multiuse')).body.invite_link) ?? '';
  const email = newAddress();
  await tryConfirm(service, { key: link, email });
  await service.settle();
  const confirmed = keyMailedTo(service, email);
  const release = holdJobs(service);
  expect((await owner.delete(`/users/${leaver.userId}`)).status).toBe(200);
  for (const one of [key, confirmed]) {
    expectRefusal(await tryJoin(service, { key: one }), INVALID);
    expectRefusal(await sendTo(`${service.url}/api/v1/join?key=${one}`), INVALID);
  }
  expectRefusal(await tryConfirm(service, { key: link, email: newAddress() }), INVALID);
  await release();
});
