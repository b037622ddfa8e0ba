import { describe, expect, test } from 'vitest';
import { proves } from '#tests/conformance/proves.ts';
import { expectMissing, expectRefusal } from '#tests/harness/refusal.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectDone, TokenCalls } from './token-rules.ts';

const tokens = new TokenCalls('/users/me/apns_device_token', { appid: 'org.example.App' });
const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

describe('Removing an APNs token', () => {
  test(
    'Deletes it once',
    proves('remove-apns-token.1', 'remove-apns-token.4', 'remove-apns-token.5'),
    async () => {
      const token = await tokens.addNew(ada);
      expectDone(await tokens.remove(ada, token));
      await tokens.expectUnknown(ada, token);
    },
  );

  test('Treats tokens of other users like missing ones', proves('remove-apns-token.4'), async () => {
    const token = await tokens.addNew(ada);
    await tokens.expectUnknown(bo, token);
    await tokens.expectUnknown(bo, tokens.newToken());
    expectDone(await tokens.remove(ada, token));
  });

  test('Requires a token', proves('remove-apns-token.2'), async () => {
    expectMissing(await ada.delete('/users/me/apns_device_token'), 'token');
  });

  test.each([[''], ['x'.repeat(4097)]])(
    'Has a valid length',
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
