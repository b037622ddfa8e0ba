import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

let service: TestService;
let [ada, guest]: Client[] = [];
beforeAll(async () => {
  service = await startTestService();
  ada = await service.createUser('Ada');
  guest = await service.createUser('Guest', roles.guest);
});
afterAll(() => service.stop());

describe('Reading one user', () => {
  test('Returns the same record as the list', async () => {
    const { body } = await ada!.get(`/users/${guest!.userId}`);
    const list = await ada!.get('/users', { user_ids: [guest!.userId] });
    expect(body.user).toEqual(list.body.members[0]);
    expect(body.user).toMatchObject({ user_id: guest!.userId, full_name: 'Guest', is_guest: true });
  });

  test('Works for guests, and for oneself', async () => {
    for (const { userId } of [ada!, guest!])
      expect((await guest!.get(`/users/${userId}`)).body.user.user_id).toBe(userId);
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

  test('Reveals nothing of how they sign in', async () => {
    const { body } = await service.owner.get(`/users/${ada!.userId}`);
    expect(JSON.stringify(body)).not.toMatch(/password|keyVersion|scrypt|argon2/i);
  });
});

describe('Invalid requests for a user', () => {
  test.each([
    ...['999999', '0', '-1', '9007199254740991', '99999999999999999999', '1.5', '1e400', 'abc', 'true'],
    ...['%00', '%225%22', '[4]', '%20', '%F0%9F%98%80', 'a'.repeat(3000)],
  ])('Include the id %s', async (name) => {
    expectRefusal(await ada!.get(`/users/${name}`), 'No such user');
  });

  test('Do not replace the id in the path by one in the query string', async () => {
    const { body } = await ada!.get(`/users/${ada!.userId}`, { user_id_or_email: guest!.userId });
    expect(body.user.user_id).toBe(ada!.userId);
    expect(body).not.toHaveProperty('ignored_parameters_unsupported');
  });

  test.each([
    [{ client_gravatar: 'maybe' }, 'client_gravatar is not valid JSON'],
    [{ client_gravatar: 0 }, 'client_gravatar is not a boolean'],
    [{ include_custom_profile_fields: [] }, 'include_custom_profile_fields is not a boolean'],
  ])('Include the parameters %j', async (params, msg) => {
    expectRefusal(await ada!.get(`/users/${ada!.userId}`, params), msg);
  });
});
