// The operations createBot and createBotAvatar.
import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { kindsOf } from '#tests/api/channels/channel-records.ts';
import { sendTo } from '#tests/harness/anonymous.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { makePicture, toForm } from '#tests/harness/pictures.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser, drainMessages, idsOf, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { botRecordOf, createBot, shortName } from './bots.ts';

const service = await startTestService();
const { owner } = service;
const administrator = await createUser(service, 'Administrator', roles.administrator);
const member = await createUser(service, 'Member');
const other = await createUser(service, 'Other');
const guest = await createUser(service, 'Guest', roles.guest);

const create = (by: Client, params: Params = {}) =>
  by.post('/bots', { full_name: 'Helper', short_name: shortName(), ...params });
const setGroup = (name: string, group: number) => owner.patch('/realm', { [name]: { new: group } });
const NO_DEFAULTS = {
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
};
const NO_ONE = 1;
const MEMBERS = 6;

describe('A new bot', () => {
  test('Has a key, an address of its short name, and no defaults', async () => {
    const { status, body } = await create(member, { full_name: ' Doc Bot ', short_name: 'doc' });
    expect(status).toBe(200);
    expect(body).toEqual({
      result: 'success',
      msg: '',
      user_id: expect.any(Number),
      api_key: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      avatar_url: expect.stringMatching(/^\/user_avatars\/j\d+\.png$/),
      ...NO_DEFAULTS,
    });
    const { user } = (await other.get(`/users/${body.user_id}`)).body;
    expect(user).toMatchObject({
      full_name: 'Doc Bot',
      email: `doc-bot@${new URL(service.url).hostname}`,
      is_bot: true,
      bot_type: 1,
      bot_owner_id: member.userId,
      role: roles.member,
      is_active: true,
    });
    expect(user).not.toHaveProperty('profile_data');
  });

  test('Appears to every user as a user, and to its owner and administrators as a bot', async () => {
    const people = [owner, administrator, member, other, guest];
    const queues = await listenAll(people);
    const bot = await createBot(member);
    const events = await Promise.all(queues.map((queue) => queue.drain()));
    const kinds = events.map((received) =>
      kindsOf(received).filter((kind) => !kind.startsWith('user_group/')),
    );
    const both = ['realm_user/add', 'realm_bot/add'];
    expect(kinds).toEqual([both, both, both, ['realm_user/add'], ['realm_user/add']]);
    for (const viewer of [owner, administrator, member])
      expect(await botRecordOf(viewer, bot)).toEqual({ user_id: bot.userId, ...NO_DEFAULTS, services: [] });
    for (const viewer of [other, guest, bot]) expect(await botRecordOf(viewer, bot)).toBeUndefined();
  });

  test('May call what people may, and is welcomed by no one', async () => {
    const bot = await createBot(member);
    await service.settle();
    expect((await bot.get('/users/me')).body).toMatchObject({ user_id: bot.userId, max_message_id: -1 });
  });

  test('Sends to its default channel when it names none', async () => {
    const { name, channelId } = await createChannel(service, [member]);
    const bot = await createBot(member, { default_sending_stream: ` ${name} ` });
    const message = { type: 'channel', topic: 'builds', content: 'done' };
    const { status, body } = await bot.post('/messages', message);
    expect(status).toBe(200);
    expect((await member.get(`/messages/${body.id}`)).body.message).toMatchObject({ stream_id: channelId });
    const unaddressed = await bot.post('/messages', { type: 'direct', content: 'done' });
    expectRefusal(unaddressed, 'Message must have recipients');
    for (const params of [{}, { default_sending_stream: ' ' }])
      expectRefusal(await (await createBot(member, params)).post('/messages', message), 'Missing channel');
  });

  test('Receives the messages that its defaults select, unless its queue overrides them', async () => {
    const [first, second] = [await createChannel(service, [member]), await createChannel(service, [member])];
    const everything = { default_all_public_streams: true };
    const plain = await createBot(member);
    const all = await createBot(member, everything);
    const some = await createBot(member, { ...everything, default_events_register_stream: second.name });
    const queues = [
      await all.listen(),
      await some.listen(),
      await all.listen({ all_public_streams: false }),
      await some.listen({ narrow: [['channel', first.name]] }),
      await plain.listen(),
    ];
    const ids = [await member.send(first.channelId, 't', 'a'), await member.send(second.channelId, 't', 'b')];
    const received = await Promise.all(queues.map(async (queue) => idsOf(await drainMessages(queue))));
    expect(received).toEqual([ids, [ids[1]], [], [ids[0]], []]);
  });
});

test('An incoming webhook bot may only send messages', async () => {
  const { channelId } = await createChannel(service, [member]);
  const bot = await createBot(member, { bot_type: 2 });
  expect((await member.get(`/users/${bot.userId}`)).body.user.bot_type).toBe(2);
  expect(await bot.send(channelId, 'topic', 'from elsewhere')).toBeGreaterThan(0);
  const refused = 'This API is not available to incoming webhook bots.';
  for (const path of ['/users/me', '/users', '/messages', '/users/me/subscriptions'])
    expectRefusal(await bot.get(path), refused);
  expectRefusal(await bot.post('/register'), refused);
  expectRefusal(await bot.patch(`/users/${member.userId}`, { full_name: 'Xy' }), refused);
});

describe('The right to create bots', () => {
  test('Belongs to members and above, unless the organization sets another group', async () => {
    for (const by of [owner, administrator, member]) expect((await create(by)).status).toBe(200);
    await setGroup('can_create_bots_group', NO_ONE);
    for (const by of [member, owner]) expectRefusal(await create(by), 'Insufficient permission');
    expect((await create(member, { bot_type: 2 })).status).toBe(200);
    await setGroup('can_create_write_only_bots_group', NO_ONE);
    expectRefusal(await create(member, { bot_type: 2 }), 'Insufficient permission');
    await setGroup('can_create_bots_group', MEMBERS);
    expect((await create(member, { bot_type: 2 })).status).toBe(200);
    await setGroup('can_create_write_only_bots_group', MEMBERS);
  });
});

describe('Creating a bot is refused for', () => {
  test.each([
    [{ short_name: '' }, 'Bad name or username'],
    [{ short_name: 'a b' }, 'Bad name or username'],
    [{ short_name: 'x'.repeat(300) }, 'Bad name or username'],
    [{ full_name: 'x' }, 'Name too short!'],
    [{ full_name: 'a*b' }, 'Invalid characters in name!'],
    [{ bot_type: 0 }, 'Invalid bot type'],
    [{ bot_type: 3 }, 'payload_url is not a URL'],
    [{ bot_type: 4 }, 'Embedded bots are not enabled.'],
    [{ default_sending_stream: 'nowhere' }, "Invalid channel name 'nowhere'"],
    [{ default_events_register_stream: 'nowhere' }, "Invalid channel name 'nowhere'"],
  ])('Parameters like %j', async (params, msg) => {
    const count = async () => (await owner.get('/users')).body.members.length;
    const before = await count();
    expectRefusal(await create(member, params), msg);
    expect(await count()).toBe(before);
  });

  test('A short name that is taken, in any letter case', async () => {
    await create(member, { short_name: 'taken' });
    expectRefusal(await create(other, { short_name: 'TAKEN' }), 'Username already in use');
  });

  test('A private channel that the caller may not know of', async () => {
    const { name } = await createChannel(service, [member], { invite_only: true });
    expect((await create(member, { default_sending_stream: name })).status).toBe(200);
    expectRefusal(await create(other, { default_sending_stream: name }), `Invalid channel name '${name}'`);
  });

  test('A name that another user has if names have to be unique', async () => {
    await owner.patch('/realm', { require_unique_names: true });
    const msg = 'Unique names required in this organization.';
    expectRefusal(await create(member, { full_name: 'MEMBER' }), msg);
    expectRefusal(await owner.patch(`/users/${other.userId}`, { full_name: 'ｍember' }), msg);
    const account = { email: 'unique@example.com', password: 'long enough', full_name: 'member ' };
    expectRefusal(await owner.post('/users', account), msg);
    expect((await owner.patch(`/users/${member.userId}`, { full_name: 'MEMBER' })).status).toBe(200);
    await owner.patch('/realm', { require_unique_names: false });
  });
});

const picture = await makePicture();

const createWith = (...files: Uint8Array[]) =>
  member.post('/bots', {}, { rawBody: toForm(files, { full_name: 'Helper', short_name: shortName() }) });

describe('A picture of a bot', () => {
  test('May be uploaded when the bot is created', async () => {
    const { status, body } = await createWith(picture);
    expect([status, body.avatar_url]).toEqual([200, expect.stringMatching(/^\/user_avatars\//)]);
    const { user } = (await guest.get(`/users/${body.user_id}`)).body;
    expect(user.avatar_url).toBe(body.avatar_url);
    expect((await sendTo(service.url + body.avatar_url)).status).toBe(200);
    expect((await member.get('/bots')).body.bots.at(-1).avatar_url).toBe(body.avatar_url);
  });

  test('May be uploaded later, and replaces the picture before it', async () => {
    const { body: bot } = await createWith(picture);
    const queue = await guest.listen();
    const { status, body } = await member.patch(`/bots/${bot.user_id}`, {}, { rawBody: toForm(picture) });
    expect(status).toBe(200);
    expect(body.avatar_url).not.toBe(bot.avatar_url);
    expect(await queue.drain()).toMatchObject([
      { type: 'realm_user', op: 'update', person: { user_id: bot.user_id, avatar_url: body.avatar_url } },
    ]);
    expect((await sendTo(service.url + bot.avatar_url)).status).toBe(404);
  });

  test('Consists of at most one file', async () => {
    expectRefusal(await createWith(picture, picture), 'You may only upload one file at once');
    expect((await createWith()).body.avatar_url).toMatch(/^\/user_avatars\/j\d+\.png$/);
  });

  test('Prevents the creation of the bot if the file is no picture', async () => {
    const before = (await member.get('/bots')).body.bots.length;
    expectRefusal(await createWith(Buffer.from('text')), 'Invalid image format', { code: 'BAD_IMAGE' });
    expect((await member.get('/bots')).body.bots).toHaveLength(before);
  });

  test('Stays if a later upload is no picture', async () => {
    const { body: bot } = await createWith(picture);
    const none = await member.patch(`/bots/${bot.user_id}`, {}, { rawBody: toForm(Buffer.from('text')) });
    expectRefusal(none, 'Invalid image format', { code: 'BAD_IMAGE' });
    expect((await guest.get(`/users/${bot.user_id}`)).body.user.avatar_url).toBe(bot.avatar_url);
  });
});
