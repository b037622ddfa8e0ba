// The operations addApnsToken and removeApnsToken.
import { describe, expect, test } from 'vitest';
import { MAX_TOKENS } from '#shared/domain/push/token.ts';
import { proves } from '#tests/conformance/proves.ts';
import { expectMissing, expectRefusal } from '#tests/harness/refusal.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { expectDone, TokenCalls } from './token-rules.ts';

const tokens = new TokenCalls('/users/me/apns_device_token', { appid: 'org.example.App' });
const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

describe('Adding an APNs token', () => {
  test('Stores it once, however often it is added', async () => {
    const token = await tokens.addNew(ada);
    expectDone(await tokens.add(ada, token));
    expectDone(await tokens.remove(ada, token));
    await tokens.expectUnknown(ada, token);
  });

  test.each([[''], ['x'.repeat(4097)]])('Has a valid length', async (token) => {
    expectRefusal(await tokens.add(ada, token), 'Empty or invalid length token');
  });

  test('Works up to a hundred times, and again for a stored token', async () => {
    const first = await tokens.addNew(bo);
    for (let count = 1; count < MAX_TOKENS; count++) await tokens.addNew(bo);
    const reply = await tokens.add(bo, tokens.newToken());
    expectRefusal(reply, 'You cannot have more than 100 device tokens');
    expectDone(await tokens.add(bo, first));
    expect(reply.status).toBe(400);
  });

  test('Requires the app id in letters, digits, dots and dashes', async () => {
    const token = tokens.newToken();
    for (const appid of ['', 'a b', 'a/b', 'ä', 'a'.repeat(201)]) {
      const reply = await ada.post('/users/me/apns_device_token', { token, appid });
      expectRefusal(reply, 'appid has invalid format');
    }
    await tokens.expectUnknown(ada, token);
  });

  test.each(['c0ffee', 'C0FFEE1', 'apple-tokenbb', 'YXBwbGU='])('Accepts %j', async (token) => {
    await tokens.expectUnknown(ada, token);
    expectDone(await tokens.add(ada, token));
    expectDone(await tokens.remove(ada, token));
    await tokens.expectUnknown(ada, token);
  });

  test('Refuses a token that is not Base64', async () => {
    for (const token of ['not base64!', 'YXBwbGU'])
      expectRefusal(await tokens.add(ada, token), 'Invalid APNS token');
  });
});

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
    expect(await unitsOf(service, () => tokens.remove(ada, token))).toEqual({ read: 1, write: 1 });
  });
});
