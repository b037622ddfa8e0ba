import { expect, test } from 'vitest';
import { sendTo } from '#tests/harness/anonymous.ts';
import type { Client } from '#tests/harness/client.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();

test('The larger picture of a user without an upload is generated, or that of their e-mail address', async () => {
  const { owner } = service;
  await owner.patch('/realm', { default_avatar_source: 'G' });
  const plain = await service.createUser('Plain');
  const locationOf = async ({ userId }: Client) => {
    const { status, headers } = await sendTo(`${service.url}/avatar/${userId}/medium`, {
      headers: { authorization: owner.authorization },
    });
    expect(status).toBe(302);
    return headers.get('location');
  };
  expect(await locationOf(owner)).toBe(`/user_avatars/j${owner.userId}-medium.png`);
  expect(await locationOf(plain)).toBe((await plain.get('/users/me')).body.avatar_url);
  expect(await locationOf(plain)).toMatch(/^https:/);
});
