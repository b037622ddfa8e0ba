import { afterAll, expect, test } from 'vitest';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
afterAll(() => service.stop());

test.each(['/api/v1/server_settings', '/api/v1/nothing', '/robots.txt'])(
  '%s requires https of browsers that came by it',
  async (path) => {
    const secured = await fetch(service.url + path, { headers: { 'x-forwarded-proto': 'https' } });
    expect(secured.headers.get('strict-transport-security')).toBe('max-age=31536000');
    const plain = await fetch(service.url + path);
    expect(plain.headers.get('strict-transport-security')).toBeNull();
  },
);
