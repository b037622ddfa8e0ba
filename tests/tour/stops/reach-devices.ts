import type { Guide } from '../guide.ts';
import type { Team } from './arrive.ts';

/** Telephones: the old way to name them, and the encrypted one. */
export async function reachDevices(guide: Guide, { ada }: Team): Promise<void> {
  guide.chapter('Reaching telephones');
  guide.say('An old telephone is registered by a token, and taken off again; twice it does not go.');
  const token = Buffer.from('a token of an old telephone').toString('base64');
  await guide.call('POST /users/me/apns_device_token', {
    as: ada,
    parameters: { token, appid: 'com.example.Chat' },
  });
  await guide.call('DELETE /users/me/apns_device_token', { as: ada, parameters: { token } });
  await guide.call('DELETE /users/me/apns_device_token', {
    as: ada,
    parameters: { token },
    status: 400,
    expect: { code: 'BAD_REQUEST', msg: 'Token does not exist' },
  });
  guide.say('Without a telephone that takes encrypted notifications there is nothing to test.');
  await guide.call('POST /mobile_push/e2ee/test_notification', {
    as: ada,
    status: 400,
    expect: { code: 'NO_ACTIVE_PUSH_DEVICE' },
  });
}
