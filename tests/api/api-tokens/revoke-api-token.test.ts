import { describe, expect, test } from 'vitest';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';
import { TokenClient } from '#tests/harness/token-client.ts';

const ALL = ['read', 'send', 'organize'];

const service = await startTestService();
const person = await service.createUser('Person');
const other = await service.createUser('Other');

const basic = (email: string, password: string) => ({
  headers: { authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` },
});

describe('The end of a token', () => {
  const refused = { status: 401, body: { code: 'INVALID_API_KEY' } };

  test('A revoked token is refused, and polls that wait with it end', async () => {
    const token = await TokenClient.create(person, ['read']);
    const queue = await token.listen({ event_types: ['message'] });
    const poll = queue.poll();
    await service.untilHeld(queue);
    expect((await person.delete(`/users/me/tokens/${token.tokenId}`)).status).toBe(200);
    expect(await poll).toMatchObject(refused);
    expect(await token.get('/users/me')).toMatchObject(refused);
  });

  test('A token of another person cannot be revoked, and looks as if it did not exist', async () => {
    const token = await TokenClient.create(person, ['read']);
    expect((await other.delete(`/users/me/tokens/${token.tokenId}`)).status).toBe(404);
    expect((await token.get('/users/me')).status).toBe(200);
  });

  test('An expired token is refused', async () => {
    const late = await startTestService();
    const token = await TokenClient.create(late.owner, ['read'], { expires_in_seconds: 600 });
    late.advance(599_000);
    expect((await token.get('/users/me')).status).toBe(200);
    late.advance(2_000);
    expect(await token.get('/users/me')).toMatchObject(refused);
    await late.stop();
  });

  test('A new API key and a new password end all tokens of the account', async () => {
    const changer = await service.createUser('Changer');
    const first = await TokenClient.create(changer, ALL);
    await changer.post('/users/me/api_key/regenerate');
    expect(await first.get('/users/me')).toMatchObject(refused);
    await service.renewKey(changer);
    const second = await TokenClient.create(changer, ALL);
    await changer.patch('/settings', { old_password: PASSWORD, new_password: 'another good password' });
    expect(await second.get('/users/me')).toMatchObject(refused);
  });

  test('A token opens a reactivated account again, unless it was revoked', async () => {
    const returner = await service.createUser('Returner');
    const [kept, revoked] = [
      await TokenClient.create(returner, ['read']),
      await TokenClient.create(returner, ['read']),
    ];
    await returner.delete(`/users/me/tokens/${revoked.tokenId}`);
    await service.deactivate(returner);
    expect((await kept.get('/users/me')).status).toBe(401);
    await service.owner.post(`/users/${returner.userId}/reactivate`);
    expect((await kept.get('/users/me')).status).toBe(200);
    expect(await revoked.get('/users/me')).toMatchObject(refused);
  });

  test.each([
    ['the secret of another token', (own: string, foreign: string) => own.slice(0, -43) + foreign.slice(-43)],
    ['the id of another token', (own: string, foreign: string) => foreign.slice(0, -43) + own.slice(-43)],
    ['a shortened secret', (own: string) => own.slice(0, -1)],
    ['the API key', (_own: string, _foreign: string) => person.apiKey],
    ['no text', () => ''],
  ])('Bearer with %s answers 401', async (_what, forge) => {
    const own = await TokenClient.create(person, ['read']);
    const foreign = await TokenClient.create(other, ['read']);
    own.apiKey = forge(own.apiKey, foreign.apiKey);
    expect(await own.get('/users/me')).toMatchObject(refused);
  });

  test('A token with the address of another person answers 401', async () => {
    const token = await TokenClient.create(person, ['read']);
    expect(await person.get('/users/me', {}, basic(other.email, token.apiKey))).toMatchObject(refused);
  });
});
