import { describe, expect, test } from 'vitest';
import { emailVisibilities, roles } from '#shared/domain/users/user.ts';
import { dummyOf, showAddressTo } from '#tests/api/users/addresses.ts';
import { proves } from '#tests/conformance/proves.ts';
import { sendForm } from '#tests/harness/anonymous.ts';
import { Client } from '#tests/harness/client.ts';
import { mailsTo } from '#tests/harness/mails.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

let count = 0;
const service = await startTestService({}, { ownerMayChangeEmails: true });
const { owner } = service;
const administrator = await createUser(service, 'Administrator', roles.administrator);
const member = await createUser(service, 'Member');
const guest = await createUser(service, 'Guest', roles.guest);

const person = () => createUser(service, 'Person');
const newEmail = () => `another${++count}@example.org`;
const change = (by: Client, { userId }: Client, new_email: string) =>
  by.patch(`/users/${userId}`, { new_email });
const recordOf = async ({ userId }: Client, by = owner) => (await by.get(`/users/${userId}`)).body.user;
const signedInAs = (one: Client, email: string) =>
  new Client(service.url, { userId: one.userId, email, apiKey: one.apiKey });

describe('new_email', () => {
  test('Becomes the address to sign in with, and keeps the key', proves('edit-user.13'), async () => {
    const one = await person();
    const email = newEmail();
    expect((await change(owner, one, email)).status).toBe(200);
    expect((await signedInAs(one, email).get('/users/me')).body).toMatchObject({
      user_id: one.userId,
      email,
      delivery_email: email,
      full_name: 'Person',
    });
    expectRefusal(await one.get('/users/me'), 'Invalid API key', { status: 401, code: 'INVALID_API_KEY' });
    const params = { username: email.toUpperCase(), password: PASSWORD };
    expect((await sendForm(service.url, '/fetch_api_key', params)).body.api_key).toBe(one.apiKey);
  });

  test('Appears in a mail to the old address (its holder may not know of the change)', async () => {
    const one = await person();
    const email = newEmail();
    await change(owner, one, email);
    await service.settle();
    expect(mailsTo(service, one.email).map(({ content }) => content)).toEqual([
      expect.stringContaining(email),
    ]);
  });

  test('Changes without a mail if the service sends none', async () => {
    const silent = await startTestService({ mailSender: undefined }, { ownerMayChangeEmails: true });
    const one = await silent.createUser('One');
    const email = newEmail();
    const { status } = await silent.owner.patch(`/users/${one.userId}`, { new_email: email });
    await silent.settle();
    expect([status, mailsTo(silent, one.email)]).toEqual([200, []]);
    expect((await silent.owner.get(`/users/${one.userId}`)).body.user.delivery_email).toBe(email);
    await silent.stop();
  });

  test('Frees the old address for another user', async () => {
    const one = await person();
    await change(owner, one, newEmail());
    const { body } = await owner.post('/users', { email: one.email, password: PASSWORD, full_name: 'Other' });
    const found = await owner.get(`/users/${one.email}`);
    expect(found.body.user).toMatchObject({ user_id: body.user_id, full_name: 'Other' });
  });

  test('Comes to every user who sees the address, with the picture', async () => {
    await owner.patch('/realm', { default_avatar_source: 'G' });
    const one = await person();
    await owner.patch('/realm', { default_avatar_source: 'J' });
    const queue = await guest.listen({ client_gravatar: false });
    const email = newEmail();
    await change(owner, one, email);
    const people = (await queue.drain()).map((event) => event.person);
    expect(people).toMatchObject([
      { user_id: one.userId, delivery_email: email },
      { user_id: one.userId, new_email: email },
      { user_id: one.userId, avatar_source: 'G', avatar_version: 1 },
    ]);
    expect(people[2].avatar_url).toBe(
      (await guest.get(`/users/${one.userId}`, { client_gravatar: false })).body.user.avatar_url,
    );
  });

  test('Keeps snapshot and events equal for every user', async () => {
    const one = await person();
    await expectConsistentSnapshot(service, [owner, administrator, member, guest], () =>
      change(owner, one, newEmail()),
    );
    await expectConsistentSnapshot(service, [administrator, member, owner], () =>
      change(owner, owner, owner.email.toUpperCase()),
    );
    await change(owner, owner, owner.email);
  });

  test('Sends no event if it is the current address, with or without white space around it', async () => {
    const one = await person();
    const queue = await owner.listen();
    for (const same of [one.email, ` ${one.email} `])
      expect((await change(owner, one, same)).status).toBe(200);
    await service.settle();
    expect(await queue.drain()).toEqual([]);
    expect(mailsTo(service, one.email)).toEqual([]);
  });

  test('May differ in letter case only', async () => {
    const one = await person();
    const email = one.email.replace('person', 'PerSon');
    expect((await change(owner, one, email)).status).toBe(200);
    expect(await recordOf(one)).toMatchObject({ email, delivery_email: email });
    expect((await one.get('/users/me')).status).toBe(200);
  });

  test('Comes only to users who may know it if it is hidden', async () => {
    const one = await person();
    await showAddressTo(one, emailVisibilities.administrators);
    const queues = [await administrator.listen(), await member.listen()];
    const email = newEmail();
    await expectConsistentSnapshot(service, [administrator, member, guest], () => change(owner, one, email));
    const [seen, unseen] = [await queues[0]!.drain(), await queues[1]!.drain()];
    expect(seen.map(({ person: changed }) => changed)).toEqual([
      { user_id: one.userId, delivery_email: email },
    ]);
    expect(unseen).toEqual([]);
    expect(await recordOf(one, member)).toMatchObject({ email: dummyOf(service, one), delivery_email: null });
  });

  test('Appears in messages that were sent before', async () => {
    const one = await person();
    const sent = await one.sendDirect([member.userId], 'hello');
    const email = newEmail();
    await change(owner, one, email);
    const { body } = await member.get('/messages', { message_ids: [sent] });
    expect(body.messages[0].sender_email).toBe(email);
    expect(body.messages[0].display_recipient.map((other: { email: string }) => other.email)).toContain(
      email,
    );
  });
});

describe('The right to change addresses', () => {
  test('Belongs to owners with the special permission only', proves('edit-user.14'), async () => {
    const one = await person();
    const second = await createUser(service, 'Second', roles.owner);
    for (const by of [second, administrator])
      expectRefusal(await change(by, one, newEmail()), 'User not authorized to change user emails');
    expectRefusal(await change(member, one, newEmail()), 'Insufficient permission');
    expect(await recordOf(one)).toMatchObject({ email: one.email });
    expect((await change(administrator, one, one.email)).status).toBe(200);
  });

  test('Ends with the owner role', proves('edit-user.14'), async () => {
    const second = await createUser(service, 'Second', roles.owner);
    await second.patch(`/users/${owner.userId}`, { role: roles.administrator });
    expectRefusal(await change(owner, member, newEmail()), 'User not authorized to change user emails');
    await second.patch(`/users/${owner.userId}`, { role: roles.owner });
  });

  test('Belongs to no user unless an operator grants it', async () => {
    const plain = await startTestService();
    const { status, body } = await change(plain.owner, plain.owner, newEmail());
    expect([status, body.msg]).toEqual([400, 'User not authorized to change user emails']);
    await plain.stop();
  });
});

describe('A new address is refused', () => {
  const bad = 'Invalid new email address.';
  test.each([
    ['nobody', bad],
    [`${'x'.repeat(290)}@example.com`, bad],
    ['<a@example.com>', bad],
  ])('As %j', proves('edit-user.13'), async (email, msg) => {
    const one = await person();
    expectRefusal(
      await owner.patch(`/users/${one.userId}`, { new_email: email, full_name: 'Not This' }),
      msg,
    );
    expect(await recordOf(one)).toMatchObject({ email: one.email, full_name: 'Person' });
  });

  test('If a user has it, in any letter case, hidden or deactivated', async () => {
    const [one, hidden, gone] = [await person(), await person(), await person()];
    await showAddressTo(hidden, emailVisibilities.nobody);
    await service.deactivate(gone);
    for (const { email } of [member, hidden, gone])
      expectRefusal(
        await change(owner, one, email.toUpperCase()),
        'New email value error: Already has an account.',
      );
  });

  test('If it is a substitute for a hidden address, or may become one', async () => {
    const [one, hidden] = [await person(), await person()];
    await showAddressTo(hidden, emailVisibilities.nobody);
    for (const email of [dummyOf(service, hidden), dummyOf(service, one).toUpperCase()]) {
      const msg = `Email '${email}' not allowed in this organization`;
      expectRefusal(await change(owner, one, email), msg);
      const account = { email, password: PASSWORD, full_name: 'Impostor' };
      expectRefusal(await owner.post('/users', account), msg);
    }
  });

  test('If another user gets it at the same time', async () => {
    const [one, other] = [await person(), await person()];
    const email = newEmail();
    const replies = await Promise.all([change(owner, one, email), change(owner, other, email)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
    const emails = [(await recordOf(one)).email, (await recordOf(other)).email];
    expect(emails.filter((given) => given === email)).toHaveLength(1);
  });
});

test.each(['plus+sign@example.com', 'ünïcode@exämple.com', "o'brien@example.com"])(
  'The address %s works in every way',
  async (email) => {
    const one = await person();
    await change(owner, one, email);
    expect((await signedInAs(one, email).get('/users/me')).body.email).toBe(email);
    const path = `/users/${encodeURIComponent(email)}`;
    expect((await member.get(path)).body.user.user_id).toBe(one.userId);
    expect((await owner.patch(path, { full_name: 'Found' })).status).toBe(200);
    expect((await member.post('/messages', { type: 'direct', to: [email], content: 'hi' })).status).toBe(200);
  },
);

test('Regenerating a key while the address changes leaves one account with one key', async () => {
  const one = await person();
  const email = newEmail();
  const [, regenerated] = await Promise.all([
    change(owner, one, email),
    one.post('/users/me/api_key/regenerate'),
  ]);
  const current = await service.clientOf(email);
  expect((await current.get('/users/me')).body.email).toBe(email);
  if (regenerated.status === 200) expect(current.apiKey).toBe(regenerated.body.api_key);
  await expect(service.clientOf(one.email)).rejects.toThrow('There is no account');
});
