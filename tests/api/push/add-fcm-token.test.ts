// The operations addFcmToken and removeFcmToken.
import { describe, test } from 'vitest';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectDone, TokenCalls } from './token-rules.ts';

const tokens = new TokenCalls('/users/me/android_gcm_reg_id');
const service = await startTestService();
const ada = await createUser(service, 'Ada');

describe('Adding an FCM token', () => {
  test('Stores it once, however often it is added', async () => {
    const token = await tokens.addNew(ada);
    expectDone(await tokens.add(ada, token));
    expectDone(await tokens.remove(ada, token));
    await tokens.expectUnknown(ada, token);
  });
});

describe('Removing an FCM token', () => {
  test('Deletes it once', async () => {
    const token = await tokens.addNew(ada);
    expectDone(await tokens.remove(ada, token));
    await tokens.expectUnknown(ada, token);
  });

  test('Accepts any text as a token', async () => {
    const token = 'cR:APA91b-_ not base64!';
    expectDone(await tokens.add(ada, token));
    expectDone(await tokens.remove(ada, token));
  });
});
