import { beforeEach, describe, expect, test } from 'vitest';
import { newPasswordHash } from '#shared/api/auth/own-password.ts';
import { type Account, roles } from '#shared/domain/users/user.ts';
import { findAccount } from '#shared/store/users/users.ts';
import { sendForm } from '#tests/harness/anonymous.ts';
import { signedInBrowser } from '#tests/harness/browser.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { failsAt, WRITES } from '#tests/harness/failing-table.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { unitsOf } from '#tests/harness/units.ts';

let ada: Client;
const service = await startTestService();
const member = await service.createUser('Member');
const guest = await service.createUser('Guest', roles.guest);
beforeEach(async () => {
  ada = await service.createUser('Ada');
  await service.settle();
});

const edit = (client: Client, params: Params) => client.patch('/settings', params);
const signIn = (password: string) =>
  sendForm(service.url, '/fetch_api_key', { username: ada.email, password });
const guess = (old_password: string) => edit(ada, { old_password, new_password: 'other horse' });
const nameOf = async (client: Client) => (await guest.get(`/users/${client.userId}`)).body.user.full_name;
const organize = async (settings: Params) => {
  const { status, body } = await service.owner.patch('/realm', settings);
  expect(status, JSON.stringify(body)).toBe(200);
};

describe('The own name', () => {
  test('Changes for every user, and appears in later messages', async () => {
    await ada.subscribe('room');
    const rename = () => edit(ada, { full_name: '  Ada Lovelace ' });
    await expectConsistentSnapshot(service, [ada, guest, service.owner], rename);
    expect(await nameOf(ada)).toBe('Ada Lovelace');
    const id = await ada.send('room', 'topic', 'hello');
    const { body } = await ada.get(`/messages/${id}`);
    expect(body.message.sender_full_name).toBe('Ada Lovelace');
  });

  test('Sends one event with that name alone, and none for the same name', async () => {
    const queue = await guest.listen();
    await edit(ada, { full_name: 'Ada King' });
    await edit(ada, { full_name: 'Ada King' });
    const person = { user_id: ada.userId, full_name: 'Ada King' };
    expect((await queue.drain()).map((event) => event.person)).toEqual([person]);
  });

  test.each([
    ['', 'Name too short!'],
    ['  ', 'Name too short!'],
    ['x', 'Name too short!'],
    ['𝒳'.repeat(101), 'Name too long!'],
    ['a`b', 'Invalid characters in name!'],
    ['**Ada**', 'Invalid characters in name!'],
    ['Ada|7', 'Invalid format!'],
  ])('Refuses %j, and changes no other setting', async (full_name, msg) => {
    const queue = await ada.listen();
    expectRefusal(await edit(ada, { full_name, enter_sends: true, timezone: 'UTC' }), msg);
    expect(await queue.drain()).toEqual([]);
    expect(await nameOf(ada)).toBe('Ada');
  });

  test('Stays if the organization forbids changing names, except for administrators', async () => {
    await organize({ name_changes_disabled: true });
    expectRefusal(await edit(ada, { full_name: 'Other' }), 'Name changes are disabled in this organization.');
    expect((await edit(ada, { full_name: 'Ada', enter_sends: true })).status).toBe(200);
    const administrator = await service.createUser('Administrator', roles.administrator);
    expect((await edit(administrator, { full_name: 'Chief' })).status).toBe(200);
    await organize({ name_changes_disabled: false });
    expect((await edit(ada, { full_name: 'Other' })).status).toBe(200);
  });

  test('Cannot be another user’s if names are unique', async () => {
    expect((await edit(ada, { full_name: 'Member' })).status).toBe(200);
    await organize({ require_unique_names: true });
    const msg = 'Unique names required in this organization.';
    for (const full_name of ['Guest', 'GUEST', 'ｇuest']) expectRefusal(await edit(ada, { full_name }), msg);
    expect((await edit(ada, { full_name: 'Somebody New' })).status).toBe(200);
    expect((await edit(ada, { full_name: 'SOMEBODY new' })).status).toBe(200);
    await organize({ require_unique_names: false });
  });
});

test('A name and a time zone cost a transaction of entry, account, user and the list of names', async () => {
  const { write } = await unitsOf(service, () => edit(ada, { full_name: 'Ada Byron', timezone: 'UTC' }));
  expect(write).toBe(9);
});

describe('The own password', () => {
  test('Keeps the browser signed in that changes it, and signs out all others and their polls', async () => {
    const bo = await service.createUser('Bo');
    const own = await signedInBrowser(service.url, bo.email);
    const other = await signedInBrowser(service.url, bo.email);
    const before = own.cookie;
    const { queue_id, last_event_id } = (await other.call('POST', '/register')).body;
    const waiting = other.call('GET', '/events', { queue_id, last_event_id });
    const params = { old_password: PASSWORD, new_password: 'other horse ☃' };
    expect((await own.call('PATCH', '/settings', params)).status).toBe(200);
    expect(own.cookie).not.toBe(before);
    expect((await own.call('GET', '/users/me')).body.user_id).toBe(bo.userId);
    expect((await own.call('GET', '/users/me', {}, { headers: { cookie: before } })).status).toBe(401);
    expect((await other.call('GET', '/users/me')).status).toBe(401);
    expect((await waiting).status).toBe(401);
  });

  test('Sets no cookie for a refused change, another setting or a program', async () => {
    const bo = await service.createUser('Bo');
    const own = await signedInBrowser(service.url, bo.email);
    const refused = { old_password: 'wrong', new_password: 'other horse ☃' };
    const replies = [
      await own.call('PATCH', '/settings', refused),
      await own.call('PATCH', '/settings', { enter_sends: true }),
      await edit(bo, { ...refused, old_password: PASSWORD }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([400, 200, 200]);
    expect(replies.flatMap(({ headers }) => headers.getSetCookie())).toEqual([]);
    expect((await own.call('GET', '/users/me')).status).toBe(401);
  });

  test('Changes with the old one, and replaces the API key', async () => {
    const params = { old_password: PASSWORD, new_password: 'other horse ☃' };
    const { apiKey } = ada;
    await expectConsistentSnapshot(service, [ada, guest], async () => {
      await edit(ada, params);
      await service.renewKey(ada);
    });
    expect((await signIn(PASSWORD)).status).toBe(401);
    const { status, body } = await signIn('other horse ☃');
    expect([status, body.api_key]).toEqual([200, ada.apiKey]);
    expect(ada.apiKey).not.toBe(apiKey);
  });

  test.each(['wrong', '', undefined, 'x'.repeat(1_000_000)])(
    'Stays without the old one (%#)',
    async (old_password) => {
      const reply = await edit(ada, { old_password, new_password: 'other horse', enter_sends: true });
      expectRefusal(reply, 'Wrong password!');
      expect((await signIn(PASSWORD)).status).toBe(200);
    },
  );

  const repetitive = ['', 'five5', 'aaaaaaaa', 'abcabcabc', '12345678'];
  const common = ['qwertyuiop', 'Password1', 'P4ssw0rd!', 'ada1234'];
  test.each([...repetitive, ...common])('Refuses the weak %j', async (new_password) => {
    expectRefusal(await edit(ada, { old_password: PASSWORD, new_password }), 'New password is too weak!');
    expect((await signIn(PASSWORD)).status).toBe(200);
  });

  test('Accepts up to 100 characters', async () => {
    const tooLong = await edit(ada, { old_password: PASSWORD, new_password: 'ab9'.repeat(34) });
    expectRefusal(tooLong, 'new_password is too long (limit: 100 characters)');
    const longest = 'Tr0ub4dor & 3 ☃'.padEnd(100, 'xyz?');
    expect((await edit(ada, { old_password: PASSWORD, new_password: longest })).status).toBe(200);
  });

  test('Cannot be guessed: after too many wrong ones the right one is refused as well for a while', async () => {
    for (let n = 0; n < 5; n++) expectRefusal(await guess('wrong'), 'Wrong password!');
    const { status, body } = await guess(PASSWORD);
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
    expect(body.msg).toMatch(/^You're making too many attempts! Try again in \d+ seconds\.$/);
    service.advance(1_801_000);
    expect((await guess(PASSWORD)).status).toBe(200);
  });

  test('Resets the count of wrong ones', async () => {
    for (const right of [PASSWORD, 'other horse']) {
      for (let n = 0; n < 4; n++) expectRefusal(await guess('wrong'), 'Wrong password!');
      expect((await guess(right)).status).toBe(200);
      await service.renewKey(ada);
    }
  });

  test('Does not get checked if the attempt cannot be counted', async () => {
    const { services } = service;
    const account = await findAccount(services.table, ada.email);
    const failing = failsAt(services, 1, WRITES).services;
    const hash = newPasswordHash(failing, account as Account, PASSWORD, 'other horse');
    await expect(hash).rejects.toThrow('The call write fails');
  });

  test('Does not get checked if no new one is given', async () => {
    await edit(ada, { old_password: 'wrong', enter_sends: true });
    expect((await ada.register()).snapshot.user_settings.enter_sends).toBe(true);
  });
});

describe('The own e-mail address', () => {
  test('May be sent unchanged', async () => {
    await edit(ada, { email: ` ${ada.email} `, enter_sends: true });
    const { snapshot } = await ada.register();
    expect(snapshot).toMatchObject({ delivery_email: ada.email, user_settings: { enter_sends: true } });
  });

  const invalid = ['', 'nobody', `${'a'.repeat(300)}@example.com`];
  test.each(invalid)('Cannot be changed without a proof: %j', async (email) => {
    expectRefusal(await edit(ada, { email, enter_sends: true }), 'Enter a valid email address.');
    expect((await ada.get('/users/me')).body.email).toBe(ada.email);
  });

  test('Gives the same answer, and changes nothing, whether or not another user has the new one', async () => {
    const taken = await edit(ada, { email: member.email });
    const free = await edit(ada, { email: 'free@example.com' });
    expect([taken.status, taken.body]).toEqual([200, free.body]);
    await service.settle();
    expect((await ada.get('/users/me')).body.email).toBe(ada.email);
  });

  test('Stays if the service sends no mail, and every other setting too', async () => {
    const silent = await startTestService({ mailSender: undefined });
    const person = await silent.createUser('Person');
    expectRefusal(
      await edit(person, { email: 'new@example.com', enter_sends: true }),
      'This server sends no mail to confirm a new address. An organization owner can change it for you.',
    );
    const { snapshot } = await person.register({ fetch_event_types: ['realm', 'user_settings'] });
    expect(snapshot.user_settings.enter_sends).toBe(false);
    expect((await edit(person, { email: person.email, enter_sends: true })).status).toBe(200);
  });

  test('Stays if the organization forbids changing addresses', async () => {
    await organize({ email_changes_disabled: true });
    const reply = await edit(ada, { email: 'new@example.com' });
    expectRefusal(reply, 'Email address changes are disabled in this organization.');
    await organize({ email_changes_disabled: false });
  });
});

test('Name, time zone, password and settings change together', async () => {
  await expectConsistentSnapshot(service, [ada, guest], async () => {
    const passwords = { old_password: PASSWORD, new_password: 'other horse' };
    await edit(ada, { full_name: 'Ada Two', timezone: 'UTC', ...passwords, color_scheme: 2 });
    await service.renewKey(ada);
  });
  expect((await signIn('other horse')).body.user_id).toBe(ada.userId);
  expect((await ada.get('/users/me')).body).toMatchObject({ full_name: 'Ada Two', timezone: 'UTC' });
});
