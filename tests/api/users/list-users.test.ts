import { beforeAll, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

let service: TestService;
let [ada, bo, guest, bot]: Client[] = [];
beforeAll(async () => {
  service = await startTestService();
  ada = await service.createUser('Ada');
  bo = await service.createUser('Bo');
  guest = await service.createUser('Guest', roles.guest);
  bot = await service.createUser('Robot');
  await service.makeBot(bot, ada);
});

const list = async (params: Params = {}, by: Client = ada!) => (await by.get('/users', params)).body.members;
const idsOf = (members: { user_id: number }[]) => members.map(({ user_id }) => user_id);

describe('The list of users', () => {
  test('Has every user, deactivated users and bots too, but no bot of the service, by id', async () => {
    await service.deactivate(bo!);
    const members = await list();
    const everyone = [service.owner, ada!, bo!, guest!, bot!].map(({ userId }) => userId);
    expect(idsOf(members)).toEqual(everyone);
    expect(members.map((one: { is_active: boolean }) => one.is_active)).toEqual([
      true,
      true,
      false,
      true,
      true,
    ]);
  });

  test('Looks the same to guests and bots', async () => {
    expect(await list({}, guest)).toEqual(await list());
    expect(await list({}, bot)).toEqual(await list());
  });

  test('Has role, owner of a bot and the minute of joining, and nothing about signing in', async () => {
    const members = await list();
    expect(members[0]).toMatchObject({ role: roles.owner, is_owner: true, is_admin: true });
    expect(members[3]).toMatchObject({ role: roles.guest, is_guest: true, is_admin: false });
    expect(members[4]).toMatchObject({ is_bot: true, bot_type: 1, bot_owner_id: ada!.userId });
    expect(members[1]).not.toHaveProperty('bot_type');
    for (const one of members) expect(one.date_joined).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d\+00:00$/);
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
      for (const one of await listGravatars(params)) expect(one.avatar_url).toBeNull();
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
    for (const one of await list()) expect(one).not.toHaveProperty('profile_data');
    const members = await list({ include_custom_profile_fields: true });
    expect(members[0].profile_data).toEqual({});
    expect(members[4]).not.toHaveProperty('profile_data');
  });
});

describe('user_ids', () => {
  test('Selects users, each once and by id, and ignores unknown ids', async () => {
    const ids = [bo!.userId, ada!.userId, ada!.userId, 999_999, 0, -1, Number.MAX_SAFE_INTEGER];
    expect(idsOf(await list({ user_ids: ids }))).toEqual([ada!.userId, bo!.userId]);
  });

  test('Selects no user with an empty list', async () => {
    expect(await list({ user_ids: [] })).toEqual([]);
  });

  test('Never selects a bot of the service', async () => {
    expect(await list({ user_ids: [1, 2, 3] })).toEqual([]);
  });
});

describe('Reading one user', () => {
  test('Returns the same record as the list', async () => {
    const { body } = await ada!.get(`/users/${guest!.userId}`);
    const list = await ada!.get('/users', { user_ids: [guest!.userId] });
    expect(body.user).toEqual(list.body.members[0]);
    expect(body.user).toMatchObject({ user_id: guest!.userId, full_name: 'Guest', is_guest: true });
  });

  test('Works for deactivated users', async () => {
    const gone = await service.createUser('Gone');
    await service.deactivate(gone);
    const { body } = await ada!.get(`/users/${gone.userId}`);
    expect(body.user).toMatchObject({ user_id: gone.userId, is_active: false });
  });

  test('Works for a bot of the service, and its record marks it as one', async () => {
    const { body } = await ada!.get('/users/2');
    expect(body.user).toMatchObject({ full_name: 'Welcome Bot', is_bot: true, is_system_bot: true });
  });

  test('Includes an avatar address and profile data on request', async () => {
    const plain = (await ada!.get(`/users/${ada!.userId}`)).body.user;
    expect(plain.avatar_url).toBe(`/user_avatars/j${ada!.userId}.png`);
    expect(plain).not.toHaveProperty('profile_data');
    const params = { client_gravatar: false, include_custom_profile_fields: true };
    const { body } = await ada!.get(`/users/${ada!.userId}`, params);
    expect(body.user.avatar_url).toBe(plain.avatar_url);
    expect(body.user.profile_data).toEqual({});
  });
});

describe('Invalid requests for a user', () => {
  test.each([...['999999', '0', '-1', '99999999999999999999', '1.5', 'abc', '%00', '[4]', 'a'.repeat(3000)]])(
    'Include the id %s',
    async (name) => {
      expectRefusal(await ada!.get(`/users/${name}`), 'No such user');
    },
  );
});
