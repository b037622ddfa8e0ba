import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { proves } from '#tests/conformance/proves.ts';
import { sendForm } from '#tests/harness/anonymous.ts';
import type { Client, Params, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

const TOO_WEAK =
  'The password is too weak: known words, the name or address of its user, rows of keys and repetitions are soon guessed.';

const service = await startTestService();

let count = 0;
const newEmail = (): string => `new${++count}@example.com`;
const create = (params: Params, by: Client = service.owner) =>
  by.post('/users', { email: newEmail(), password: 'long enough', full_name: 'New Person', ...params });
const userOf = async (id: number | string) => (await service.owner.get(`/users/${id}`)).body.user;
const fetchKey = async (username: string, password: string) =>
  (await sendForm(service.url, '/fetch_api_key', { username, password })).body;
const userCount = async () => (await service.owner.get('/users')).body.members.length;

describe('Creating an account', () => {
  test('Assigns the next id, and makes a member who may sign in with the password', async () => {
    const email = newEmail();
    const first = await create({ email, password: 'pass word ☃', full_name: 'Zoë Å' });
    const second = await create({});
    expect(second.body.user_id).toBe(first.body.user_id + 1);
    expect(await userOf(first.body.user_id)).toMatchObject({
      email,
      delivery_email: email,
      full_name: 'Zoë Å',
      role: roles.member,
      is_active: true,
      is_bot: false,
      is_admin: false,
      is_guest: false,
      avatar_version: 1,
      timezone: '',
    });
    expect((await fetchKey(email, 'pass word ☃')).user_id).toBe(first.body.user_id);
  });

  test('Notifies every user, and the welcome bot greets it once', proves('event-queues.10'), async () => {
    const member = await service.createUser('Member');
    const guest = await service.createUser('Guest', roles.guest);
    const queues = await listenAll([member, guest, service.owner]);
    const email = newEmail();
    const { body } = await create({ email, full_name: 'Newest' });
    for (const queue of queues) {
      const events = (await queue.drain()).filter(({ type }) => type === 'realm_user');
      const person = { user_id: body.user_id, email, profile_data: {} };
      expect(events).toMatchObject([{ op: 'add', person }]);
      expect(JSON.stringify(events)).not.toMatch(/password|keyVersion|scrypt|argon2/i);
    }
    await service.settle();
    const person = await service.clientOf(email);
    const { body: page } = await person.get('/messages', { anchor: 'newest', num_before: 5, num_after: 0 });
    expect(page.messages).toMatchObject([{ sender_full_name: 'Welcome Bot' }]);
  });

  test('Subscribes it to the default channels, whose subscribers are notified', async () => {
    const [member, other] = [await service.createUser('Member'), await service.createUser('Other')];
    const guest = await service.createUser('Guest', roles.guest);
    const principals = [service.owner.userId, member.userId];
    const channelId = await service.owner.subscribe('everybody', { is_default_stream: true, principals });
    await service.settle();
    const queues = await listenAll([member, other]);
    const email = newEmail();
    const everyone = [member, other, guest, service.owner];
    let body: Reply['body'];
    await expectConsistentSnapshot(service, everyone, async () => {
      ({ body } = await create({ email }));
    });
    for (const queue of queues) {
      const joined = (await queue.drain()).filter(({ op }) => op === 'peer_add');
      expect(joined).toMatchObject([{ stream_ids: [channelId], user_ids: [body.user_id] }]);
    }
    const person = await service.clientOf(email);
    const { body: list } = await person.get('/users/me/subscriptions');
    expect(list.subscriptions).toMatchObject([{ stream_id: channelId, name: 'everybody' }]);
  });
});

describe('Parameters of a new account', () => {
  test('Ignore white space around address and name', async () => {
    const email = newEmail();
    const { body } = await create({ email: `  ${email}\n`, full_name: '\t Padded  ' });
    expect(await userOf(body.user_id)).toMatchObject({ email, full_name: 'Padded' });
  });

  test('May have the longest and shortest values, in code points', async () => {
    for (const full_name of ['Al', '𝒳'.repeat(100)]) {
      const { body } = await create({ full_name });
      expect(await userOf(body.user_id)).toMatchObject({ full_name });
    }
    for (const password of ['s1x☃ix', `${'🔑'.repeat(94)}s1x☃ix`]) {
      const username = newEmail();
      const { body } = await create({ email: username, password });
      expect((await fetchKey(username, password)).user_id).toBe(body.user_id);
    }
    const email = `${'a'.repeat(242)}@example.com`;
    expect(await userOf((await create({ email })).body.user_id)).toMatchObject({ email });
  });

  test.each([
    [' x ', 'Name too short!'],
    ['𝒳'.repeat(101), 'Name too long!'],
    ['a@b', 'Invalid characters in name!'],
    ['**bold**', 'Invalid characters in name!'],
    ['a\0b', 'Invalid characters in name!'],
    ['<b>', 'Invalid characters in name!'],
    ['Ada|12', 'Invalid format!'],
  ])('Cannot have the name %j', async (full_name, msg) => {
    expectRefusal(await create({ full_name }), msg);
  });

  test.each([
    ['', 'password is too short.'],
    ['five5', 'password is too short.'],
    ['🔑'.repeat(101), 'password is too long (limit: 100 characters)'],
    ['aaaaaaaaaaaa', TOO_WEAK],
    ['password', TOO_WEAK],
    ['P@ssw0rd', TOO_WEAK],
    ['person123', TOO_WEAK],
    ['qwertyuiop', TOO_WEAK],
  ])('Cannot have a password of a wrong length, or a forbidden one (%#)', async (password, msg) => {
    expectRefusal(await create({ password }), msg);
  });
});

describe('An e-mail address', () => {
  test('Belongs to one account, whatever its letter case', async () => {
    const email = newEmail();
    await create({ email });
    const before = await userCount();
    for (const taken of [email, email.toUpperCase()])
      expectRefusal(await create({ email: taken }), `Email '${taken}' already in use`);
    expect(await userCount()).toBe(before);
  });

  test('Stays taken by a deactivated account, and by the bots of the service', async () => {
    const gone = await service.createUser('Gone');
    await service.deactivate(gone);
    expect((await create({ email: gone.email })).body.msg).toBe(`Email '${gone.email}' already in use`);
    const bot = (await service.owner.post('/register')).body.cross_realm_bots[0].email;
    expect((await create({ email: bot })).body.msg).toBe(`Email '${bot}' already in use`);
  });

  test('Goes to exactly one of many simultaneous requests', async () => {
    const email = newEmail();
    const before = await userCount();
    const replies = await Promise.all(Array.from({ length: 6 }, () => create({ email })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
    expect(await userCount()).toBe(before + 1);
  });
});

describe('Spellings of one mailbox', () => {
  test.each([
    ['composed and decomposed characters', 'jos\u00e9', 'example.com', 'jose\u0301', 'example.com'],
    ['Unicode and ASCII of a domain', 'idn', 'b\u00fccher.example', 'idn', 'xn--bcher-kva.example'],
    ['ASCII and Unicode of a domain', 'puny', 'xn--bcher-kva.example', 'puny', 'B\u00dcCHER.example'],
    ['full width and ASCII of a domain', 'wide', '\uff45xample.com', 'wide', 'example.com'],
  ])('Belong to one account with %s', async (_name, local, domain, otherLocal, otherDomain) => {
    const [email, other] = [`${local}@${domain}`, `${otherLocal}@${otherDomain}`];
    const password = 'correct horse battery';
    const { body } = await create({ email, password });
    expect((await create({ email: other })).body.msg).toMatch(/already in use$/);
    for (const spelling of [email, other]) {
      expect((await fetchKey(spelling, password)).user_id).toBe(body.user_id);
      expect((await userOf(encodeURIComponent(spelling))).user_id).toBe(body.user_id);
    }
    const reply = await service.owner.post('/invites', { invitee_emails: other, stream_ids: [] });
    expect(reply.body.errors).toMatchObject([[expect.any(String), 'Already has an account.', false]]);
  });

  test.each(['\u7528\u6237', '\u03b4\u03bf\u03ba', 'a.b+c', "o'hara"])('Include %s', async (local) => {
    const email = `${local}@example.com`;
    const { body } = await create({ email });
    expect((await userOf(body.user_id)).delivery_email).toBe(email);
  });

  const locals = ['\u200bz', 'z\u3164', 'a..b', '.a', 'a.', 'a b', 'a@b', '"a"', 'a\0', 'a'.repeat(250)];
  const domains = ['-example.com', 'example-.com', 'example.com.', 'ex%61mple.com', 'example.com:80'];
  const unusual = [`x@${'a'.repeat(64)}.com`, 'x@xn--a.example', 'z@exa\u00admple.com', '<a@example.com>'];
  test.each([
    ...locals.map((local) => `${local}@example.com`),
    ...domains.map((domain) => `x@${domain}`),
    ...unusual,
    '',
    'a@',
  ])('Exclude the malformed address %j', async (email) =>
    expectRefusal(await create({ email }), 'Enter a valid email address.'),
  );
});
