import { describe, expect, test } from 'vitest';
import { MAX_TOKENS } from '#shared/domain/push/token.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectDone, TokenCalls } from './token-rules.ts';

const tokens = new TokenCalls('/users/me/apns_device_token', { appid: 'org.example.App' });
const service = await startTestService();
const ada = await createUser(service, 'Ada');

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
    const bo = await createUser(service, 'Bo');
    const first = await tokens.addNew(bo);
    for (let count = 1; count < MAX_TOKENS; count++) await tokens.addNew(bo);
    const reply = await tokens.add(bo, tokens.newToken());
    expectRefusal(reply, 'You cannot have more than 100 device tokens');
    expectDone(await tokens.add(bo, first));
    expect(reply.status).toBe(400);
  });

  test('Requires the app id in letters, digits, dots and dashes', async () => {
    const token = tokens.newToken();
    for (const appid of ['', 'a b', 'a/b', 'ä', 'a'.repeat(201)])
      expectRefusal(
        await ada.post('/users/me/apns_device_token', { token, appid }),
        'appid has invalid format',
      );
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
