import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();

describe('The own user', () => {
  test('Equals the record that others see, with profile data and the address of the picture', async () => {
    const ada = await service.createUser('Ada');
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
    const [owner, bot] = [await service.createUser('Ada'), await service.createUser('Robot')];
    await service.makeBot(bot, owner);
    const { body } = await bot.get('/users/me');
    expect(body).toMatchObject({ is_bot: true, bot_type: 1, bot_owner_id: owner.userId });
    expect(body).not.toHaveProperty('profile_data');
  });
});

describe('max_message_id', () => {
  test('Names the newest message that the caller received, whoever else writes', async () => {
    const [ada, bo] = [await service.createUser('Ada'), await service.createUser('Bo')];
    await service.settle();
    await ada.subscribe('room of ada');
    await service.settle();
    const newest = async (one: typeof ada) => (await one.get('/users/me')).body.max_message_id;
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
    await bare.stop();
  });
});
