import { afterAll, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { proves } from '#tests/conformance/proves.ts';
import { expectMissing, expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectDone, TokenCalls } from './token-rules.ts';

const tokens = new TokenCalls('/users/me/apns_device_token', { appid: 'org.example.App' });
const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
afterAll(() => service.stop());

describe('Removing an APNs token', () => {
  test(
    'Deletes it, and fails the second time',
    proves('remove-apns-token.1', 'remove-apns-token.4', 'remove-apns-token.5'),
    async () => {
      const token = await tokens.addNew(ada);
      expectDone(await tokens.remove(ada, token));
      await tokens.expectUnknown(ada, token);
    },
  );

  test('Leaves all others', async () => {
    const [first, second] = [await tokens.addNew(ada), await tokens.addNew(ada)];
    expectDone(await tokens.remove(ada, first));
    expectDone(await tokens.remove(ada, second));
  });

  test(
    'Does not affect tokens of others, with the same error as for missing tokens',
    proves('remove-apns-token.4'),
    async () => {
      const token = await tokens.addNew(ada);
      await tokens.expectUnknown(bo, token);
      await tokens.expectUnknown(bo, tokens.newToken());
      expectDone(await tokens.remove(ada, token));
    },
  );

  test('Works for every person, whatever their role, and for no bot', async () => {
    const guest = await createUser(service, 'Guest', roles.guest);
    const administrator = await createUser(service, 'Admin', roles.administrator);
    const bot = await createUser(service, 'Robot');
    await service.makeBot(bot, ada);
    for (const client of [service.owner, administrator, guest])
      expectDone(await tokens.remove(client, await tokens.addNew(client)));
    for (const reply of [await tokens.remove(bot, 'dG9rZW4='), await tokens.add(bot, 'dG9rZW4=')])
      expectRefusal(reply, 'This endpoint does not accept bot requests.');
  });

  test('Requires a token', proves('remove-apns-token.2'), async () => {
    expectMissing(await ada.delete('/users/me/apns_device_token'), 'token');
  });

  test.each([[''], ['x'.repeat(4097)]])(
    'Refuses a token of invalid length',
    proves('remove-apns-token.3'),
    async (token) => {
      expectRefusal(await tokens.remove(ada, token), 'Empty or invalid length token');
    },
  );

  test('Accepts a token of 4096 characters', proves('remove-apns-token.3'), async () => {
    const token = 'a'.repeat(4096);
    await tokens.expectUnknown(ada, token);
    expectDone(await tokens.add(ada, token));
    expectDone(await tokens.remove(ada, token));
  });

  test.each([['abz'], ['not base64!'], ['a=bc'], ['=abc'], ['äöüäa']])(
    'Refuses %j, which is not Base64',
    async (token) => {
      expectRefusal(await tokens.remove(ada, token), 'Invalid APNS token');
    },
  );

  test('Costs one write', async () => {
    const token = await tokens.addNew(ada);
    service.meter.reset();
    await tokens.remove(ada, token);
    expect(service.meter).toMatchObject({ read: 1, write: 1 });
  });
});
