import { expect, test, vi } from 'vitest';
import { defaultProvider } from '#infra/aws/sdk/env-credentials.ts';

test('a function signs with the keys that Lambda gives it, and names its session where it has one', async () => {
  const credentials = defaultProvider();
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_SESSION_TOKEN', 'session');
  const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };
  expect(await credentials()).toEqual({ ...keys, sessionToken: 'session' });
  vi.stubEnv('AWS_SESSION_TOKEN', '');
  expect(await credentials()).toEqual(keys);
  vi.stubEnv('AWS_ACCESS_KEY_ID', undefined);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', undefined);
  expect(await credentials()).toEqual({ accessKeyId: '', secretAccessKey: '' });
  vi.unstubAllEnvs();
});
