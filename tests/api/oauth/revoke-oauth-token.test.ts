import { expect, test } from 'vitest';
import { Program } from '#tests/harness/oauth.ts';
import { startTestService } from '#tests/harness/service.ts';
import { TokenClient } from '#tests/harness/token-client.ts';

const service = await startTestService();
const program = await Program.register(service.url);

test.each(['access_token', 'refresh_token'])('A program revokes its token by the %s', async (kind) => {
  const { body } = await program.exchange(await program.code(service.owner));
  expect((await program.revoke(body[kind])).status).toBe(200);
  const holder = program.holder(service.owner, body.access_token);
  expect((await holder.get('/users/me')).status).toBe(401);
  expect((await program.renew(body.refresh_token)).status).toBe(400);
});

test('Revoking an unknown token succeeds, and tokens that a person created stay', async () => {
  expect((await program.revoke('tct_1_1_unknown')).status).toBe(200);
  const token = await TokenClient.create(service.owner, ['read']);
  await program.revoke(token.apiKey);
  expect((await token.get('/users/me')).status).toBe(200);
});
