// The operations getOwnUser, getUser and listUsers.
import { beforeAll, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', roles.guest);
const bot = await createUser(service, 'Robot');
await service.makeBot(bot, ada);

const list = async (params: Params = {}, by: Client = ada) => (await by.get('/users', params)).body.members;
const idsOf = (members: { user_id: number }[]) => members.map(({ user_id }) => user_id);

describe('The list of users', () => {
  test('Has every user, deactivated users and bots too, but no bot of the service, by id', async () => {
    await service.deactivate(bo);
    const members = await list();
    const everyone = [service.owner, ada, bo, guest, bot].map(({ userId }) => userId);
    expect(idsOf(members)).toEqual(everyone);
    const areActive = members.map(({ is_active }: { is_active: boolean }) => is_active);
    expect(areActive).toEqual([true, true, false, true, true]);
  });

  test('Looks the same to guests and bots', async () => {
    expect(await list({}, guest)).toEqual(await list());
    expect(await list({}, bot)).toEqual(await list());
  });

  test('Has role, owner of a bot and the minute of joining, and nothing about signing in', async () => {
    const members = await list();
    expect(members[0]).toMatchObject({ role: roles.owner, is_owner: true, is_admin: true });
    expect(members[3]).toMatchObject({ role: roles.guest, is_guest: true, is_admin: false });
    expect(members[4]).toMatchObject({ is_bot: true, bot_type: 1, bot_owner_id: ada.userId });
    expect(members[1]).not.toHaveProperty('bot_type');
    for (const { date_joined } of members) expect(date_joined).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d\+00:00$/);
    expect(JSON.stringify(members)).not.toMatch(/password|keyVersion|scrypt|argon2/i);
  });
});

describe('client_gravatar', () => {
  let listGravatars: (params: Params) => Promise<{ avatar_url: string | null; email: string }[]>;
  beforeAll(async () => {
    await service.owner.patch('/realm', { default_avatar_source: 'G' });
    const ids = [await service.createUser('Cy'), await service.createUser('Di')].map(({ userId }) => userId);
    listGravatars = (params) => list({ ...params, user_ids: ids });
  });

  test('Leaves the address of the picture to the client by default', async () => {
    for (const params of [{}, { client_gravatar: true }])
      for (const { avatar_url } of await listGravatars(params)) expect(avatar_url).toBeNull();
  });

  test('Returns every address if false, without revealing the e-mail address', async () => {
    const members = await listGravatars({ client_gravatar: false });
    for (const { avatar_url, email } of members) {
      expect(avatar_url).toMatch(/^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?/);
      expect(avatar_url).not.toContain(email);
    }
    expect(new Set(members.map(({ avatar_url }) => avatar_url)).size).toBe(members.length);
  });
});

describe('include_custom_profile_fields', () => {
  test('Adds profile data of people, not of bots', async () => {
    for (const member of await list()) expect(member).not.toHaveProperty('profile_data');
    const members = await list({ include_custom_profile_fields: true });
    expect(members[0].profile_data).toEqual({});
    expect(members[4]).not.toHaveProperty('profile_data');
  });
});

describe('user_ids', () => {
  test('Selects users, each once and by id, and ignores unknown ids', async () => {
    const ids = [bo.userId, ada.userId, ada.userId, 999_999, 0, -1, Number.MAX_SAFE_INTEGER];
    expect(idsOf(await list({ user_ids: ids }))).toEqual([ada.userId, bo.userId]);
  });

  test('Selects no user with an empty list, and never a bot of the service', async () => {
    for (const user_ids of [[], [1, 2, 3]]) expect(await list({ user_ids })).toEqual([]);
  });
});

describe('Reading one user', () => {
  test('Returns the same record as the list', async () => {
    const { body } = await ada.get(`/users/${guest.userId}`);
    const list = await ada.get('/users', { user_ids: [guest.userId] });
    expect(body.user).toEqual(list.body.members[0]);
    expect(body.user).toMatchObject({ user_id: guest.userId, full_name: 'Guest', is_guest: true });
  });

  test('Works for deactivated users', async () => {
    const gone = await service.createUser('Gone');
    await service.deactivate(gone);
    const { body } = await ada.get(`/users/${gone.userId}`);
    expect(body.user).toMatchObject({ user_id: gone.userId, is_active: false });
  });

  test('Works for a bot of the service, and its record marks it as one', async () => {
    const { body } = await ada.get('/users/2');
    expect(body.user).toMatchObject({ full_name: 'Welcome Bot', is_bot: true, is_system_bot: true });
  });

  test('Includes an avatar address and profile data on request', async () => {
    const plain = (await ada.get(`/users/${ada.userId}`)).body.user;
    expect(plain.avatar_url).toBe(`/user_avatars/j${ada.userId}.png`);
    expect(plain).not.toHaveProperty('profile_data');
    const params = { client_gravatar: false, include_custom_profile_fields: true };
    const { body } = await ada.get(`/users/${ada.userId}`, params);
    expect(body.user.avatar_url).toBe(plain.avatar_url);
    expect(body.user.profile_data).toEqual({});
  });
});

const INVALID = ['999999', '0', '-1', '99999999999999999999', '1.5', 'abc', '%00', '[4]', 'a'.repeat(3000)];
test.each(INVALID)('No user has the id %s', async (name) => {
  expectRefusal(await ada.get(`/users/${name}`), 'No such user');
});

describe('The own user', () => {
  test('Equals the record that others see, with profile data and the address of the picture', async () => {
    const { result: _result, msg: _msg, max_message_id: _newest, ...own } = (await ada.get('/users/me')).body;
    const params = { client_gravatar: false, include_custom_profile_fields: true };
    expect(own).toEqual((await service.owner.get(`/users/${ada.userId}`, params)).body.user);
    expect(own).toMatchObject({ user_id: ada.userId, email: ada.email, profile_data: {} });
  });

  test.each(['owner', 'administrator', 'moderator', 'member', 'guest'] as const)(
    'Contains the role of a %s',
    async (role) => {
      const person = await service.createUser('Person', roles[role]);
      const { body } = await person.get('/users/me');
      expect(body).toMatchObject({
        role: roles[role],
        is_owner: role === 'owner',
        is_admin: role === 'owner' || role === 'administrator',
        is_guest: role === 'guest',
      });
    },
  );

  test('Contains the owner of a bot, which has no profile', async () => {
    const { body } = await bot.get('/users/me');
    expect(body).toMatchObject({ is_bot: true, bot_type: 1, bot_owner_id: ada.userId });
    expect(body).not.toHaveProperty('profile_data');
  });
});

describe('max_message_id', () => {
  test('Names the newest message that the caller received, whoever else writes', async () => {
    const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
    await ada.subscribe('room of ada');
    await service.settle();
    const newest = async (client: Client) => (await client.get('/users/me')).body.max_message_id;
    const before = await newest(bo);
    const own = await ada.send('room of ada', 'x', 'not for Bo');
    expect(await newest(ada)).toBe(own);
    expect(await newest(bo)).toBe(before);
    const direct = await ada.sendDirect([bo.userId], 'for Bo');
    expect(await newest(bo)).toBe(direct);
  });

  test('Starts at -1 before the first message', async () => {
    const bare = await startTestService();
    expect((await bare.owner.get('/users/me')).body.max_message_id).toBe(-1);
  });
});
