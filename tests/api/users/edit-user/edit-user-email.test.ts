import { describe, expect, test } from 'vitest';
import { emailVisibilities, roles } from '#shared/domain/users/user.ts';
import { createRoles, expectInvalidKey, userAs } from '#tests/api/users/accounts.ts';
import { dummyOf, showAddressTo } from '#tests/api/users/addresses.ts';
import { proves } from '#tests/conformance/proves.ts';
import { sendForm } from '#tests/harness/anonymous.ts';
import { Client } from '#tests/harness/client.ts';
import { mailsTo } from '#tests/harness/mails.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, listenAll } from '#tests/harness/scene.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

let count = 0;
const service = await startTestService({}, { ownerMayChangeEmails: true });
const { owner, administrator, member, guest } = await createRoles(service);

const newPerson = () => createUser(service, 'Person');
const newEmail = () => `another${++count}@example.org`;
const change = (by: Client, { userId }: Client, new_email: string) =>
  by.patch(`/users/${userId}`, { new_email });
const recordOf = (user: Client, reader = owner) => userAs(reader, user);
const NOT_AUTHORIZED = 'User not authorized to change user emails';
const TAKEN = 'New email value error: Already has an account.';
const signedInAs = (person: Client, email: string) =>
  new Client(service.url, { userId: person.userId, email, apiKey: person.apiKey });

describe('new_email', () => {
  test('Becomes the address to sign in with, and keeps the key', proves('edit-user.13'), async () => {
    const person = await newPerson();
    const email = newEmail();
    expect((await change(owner, person, email)).status).toBe(200);
    const account = { user_id: person.userId, email, delivery_email: email, full_name: 'Person' };
    expect((await signedInAs(person, email).get('/users/me')).body).toMatchObject(account);
    expectInvalidKey(await person.get('/users/me'));
    const params = { username: email.toUpperCase(), password: PASSWORD };
    expect((await sendForm(service.url, '/fetch_api_key', params)).body.api_key).toBe(person.apiKey);
  });

  test('Appears in a mail to the old address (its holder may not know of the change)', async () => {
    const person = await newPerson();
    const email = newEmail();
    await change(owner, person, email);
    await service.settle();
    const mails = mailsTo(service, person.email);
    expect(mails).toMatchObject([{ content: expect.stringContaining(email) }]);
    expect(mails).toHaveLength(1);
  });

  test('Changes without a mail if the service sends none', async () => {
    const silent = await startTestService({ mailSender: undefined }, { ownerMayChangeEmails: true });
    const person = await silent.createUser('Person');
    const email = newEmail();
    const { status } = await change(silent.owner, person, email);
    await silent.settle();
    expect([status, mailsTo(silent, person.email)]).toEqual([200, []]);
    expect((await recordOf(person, silent.owner)).delivery_email).toBe(email);
  });

  test('Frees the old address for another user', async () => {
    const person = await newPerson();
    await change(owner, person, newEmail());
    const account = { email: person.email, password: PASSWORD, full_name: 'Other' };
    const { body } = await owner.post('/users', account);
    const found = await owner.get(`/users/${person.email}`);
    expect(found.body.user).toMatchObject({ user_id: body.user_id, full_name: 'Other' });
  });

  test('Comes to every user who sees the address, with the picture', async () => {
    await owner.patch('/realm', { default_avatar_source: 'G' });
    const person = await newPerson();
    await owner.patch('/realm', { default_avatar_source: 'J' });
    const queue = await guest.listen({ client_gravatar: false });
    const email = newEmail();
    await change(owner, person, email);
    const people = (await queue.drain()).map((event) => event.person);
    expect(people).toMatchObject([
      { user_id: person.userId, delivery_email: email },
      { user_id: person.userId, new_email: email },
      { user_id: person.userId, avatar_source: 'G', avatar_version: 1 },
    ]);
    const { user } = (await guest.get(`/users/${person.userId}`, { client_gravatar: false })).body;
    expect(people[2].avatar_url).toBe(user.avatar_url);
  });

  test('Keeps snapshot and events equal for every user', async () => {
    const person = await newPerson();
    await expectConsistentSnapshot(
      service,
      [owner, administrator, member, guest],
      [() => change(owner, person, newEmail()), () => change(owner, owner, owner.email.toUpperCase())],
    );
    await change(owner, owner, owner.email);
  });

  test('Sends no event if it is the current address, with or without white space around it', async () => {
    const person = await newPerson();
    const queue = await owner.listen();
    for (const same of [person.email, ` ${person.email} `])
      expect((await change(owner, person, same)).status).toBe(200);
    await service.settle();
    expect(await queue.drain()).toEqual([]);
    expect(mailsTo(service, person.email)).toEqual([]);
  });

  test('May differ in letter case only', async () => {
    const person = await newPerson();
    const email = person.email.replace('person', 'PerSon');
    expect((await change(owner, person, email)).status).toBe(200);
    expect(await recordOf(person)).toMatchObject({ email, delivery_email: email });
    expect((await person.get('/users/me')).status).toBe(200);
  });

  test('Comes only to users who may know it if it is hidden', async () => {
    const person = await newPerson();
    await showAddressTo(person, emailVisibilities.administrators);
    const [administrators, members] = await listenAll([administrator, member]);
    const email = newEmail();
    const changing = () => change(owner, person, email);
    await expectConsistentSnapshot(service, [administrator, member, guest], changing);
    const changed = { user_id: person.userId, delivery_email: email };
    expect((await administrators.drain()).map((event) => event.person)).toEqual([changed]);
    expect(await members.drain()).toEqual([]);
    expect(await recordOf(person, member)).toMatchObject({
      email: dummyOf(service, person),
      delivery_email: null,
    });
  });

  test('Appears in messages that were sent before', async () => {
    const person = await newPerson();
    const sent = await person.sendDirect([member.userId], 'hello');
    const email = newEmail();
    await change(owner, person, email);
    const [message] = (await member.get('/messages', { message_ids: [sent] })).body.messages;
    expect(message.sender_email).toBe(email);
    expect(message.display_recipient).toContainEqual(expect.objectContaining({ email }));
  });
});

describe('The right to change addresses', () => {
  test('Belongs to owners with the special permission only', proves('edit-user.14'), async () => {
    const person = await newPerson();
    const second = await createUser(service, 'Second', roles.owner);
    for (const by of [second, administrator])
      expectRefusal(await change(by, person, newEmail()), NOT_AUTHORIZED);
    expectRefusal(await change(member, person, newEmail()), 'Insufficient permission');
    expect(await recordOf(person)).toMatchObject({ email: person.email });
    expect((await change(administrator, person, person.email)).status).toBe(200);
  });

  test('Ends with the owner role', proves('edit-user.14'), async () => {
    const second = await createUser(service, 'Second', roles.owner);
    await second.patch(`/users/${owner.userId}`, { role: roles.administrator });
    expectRefusal(await change(owner, member, newEmail()), NOT_AUTHORIZED);
    await second.patch(`/users/${owner.userId}`, { role: roles.owner });
  });

  test('Belongs to no user unless an operator grants it', async () => {
    const plain = await startTestService();
    expectRefusal(await change(plain.owner, plain.owner, newEmail()), NOT_AUTHORIZED);
  });
});

describe('A new address is refused', () => {
  const malformed = ['nobody', `${'x'.repeat(290)}@example.com`, '<a@example.com>'];
  test.each(malformed)('As %j', proves('edit-user.13'), async (new_email) => {
    const person = await newPerson();
    const reply = await owner.patch(`/users/${person.userId}`, { new_email, full_name: 'Not This' });
    expectRefusal(reply, 'Invalid new email address.');
    expect(await recordOf(person)).toMatchObject({ email: person.email, full_name: 'Person' });
  });

  test('If a user has it, in any letter case, hidden or deactivated', async () => {
    const [person, hidden, gone] = [await newPerson(), await newPerson(), await newPerson()];
    await showAddressTo(hidden, emailVisibilities.nobody);
    await service.deactivate(gone);
    for (const { email } of [member, hidden, gone])
      expectRefusal(await change(owner, person, email.toUpperCase()), TAKEN);
  });

  test('If it is a substitute for a hidden address, or may become one', async () => {
    const [person, hidden] = [await newPerson(), await newPerson()];
    await showAddressTo(hidden, emailVisibilities.nobody);
    for (const email of [dummyOf(service, hidden), dummyOf(service, person).toUpperCase()]) {
      const msg = `Email '${email}' not allowed in this organization`;
      expectRefusal(await change(owner, person, email), msg);
      const account = { email, password: PASSWORD, full_name: 'Impostor' };
      expectRefusal(await owner.post('/users', account), msg);
    }
  });

  test('If another user gets it at the same time', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const email = newEmail();
    const replies = await Promise.all([change(owner, person, email), change(owner, other, email)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
    const emails = [(await recordOf(person)).email, (await recordOf(other)).email];
    expect(emails.filter((current) => current === email)).toHaveLength(1);
  });
});

test.each(['plus+sign@example.com', 'ünïcode@exämple.com', "o'brien@example.com"])(
  'The address %s works in every way',
  async (email) => {
    const person = await newPerson();
    await change(owner, person, email);
    expect((await signedInAs(person, email).get('/users/me')).body.email).toBe(email);
    const path = `/users/${encodeURIComponent(email)}`;
    expect((await member.get(path)).body.user.user_id).toBe(person.userId);
    expect((await owner.patch(path, { full_name: 'Found' })).status).toBe(200);
    expect((await member.post('/messages', { type: 'direct', to: [email], content: 'hi' })).status).toBe(200);
  },
);

test('Regenerating a key while the address changes leaves one account with one key', async () => {
  const person = await newPerson();
  const email = newEmail();
  const changing = change(owner, person, email);
  const [regenerated] = await Promise.all([person.post('/users/me/api_key/regenerate'), changing]);
  const current = await service.clientOf(email);
  expect((await current.get('/users/me')).body.email).toBe(email);
  if (regenerated.status === 200) expect(current.apiKey).toBe(regenerated.body.api_key);
  await expect(service.clientOf(person.email)).rejects.toThrow('There is no account');
});
