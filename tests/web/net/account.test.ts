import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { emptyCache } from '#web/state/cache.ts';
import { load, useStillPage } from './still-page.ts';

const [account, own, api, store] = await load(
  '#web/net/account.ts',
  '#web/net/own-settings.ts',
  '#web/net/api.ts',
  '#web/net/store.ts',
);

const page = useStillPage();
beforeEach(() => {
  api.session.value = 'in';
});
afterEach(() => (api.session.value = 'unknown'));
const asked = () => page.calls.map(({ call, params }) => [call, params]);

describe('An account in the client', () => {
  test.each<[string, () => Promise<unknown>, object]>([
    [
      'name and password',
      () => account.signIn('ada@example.com', 'secret'),
      { username: 'ada@example.com', password: 'secret' },
    ],
    ['the token of a link', () => account.signInByToken('abc'), { token: 'abc' }],
  ])('Signs in by %s, and sees nothing of the account before', async (_what, signIn, params) => {
    store.cache.value = { ...emptyCache };
    await signIn();
    expect(asked()).toEqual([['POST /session', params]]);
    expect([store.state.value, api.session.value]).toEqual([undefined, 'unknown']);
    expect(store.cache.value).toBe(emptyCache);
  });

  test('Stays on the page if the service refuses signing in', async () => {
    page.answer = () => ({ status: 400, body: { msg: 'Wrong password' } });
    await expect(account.signIn('ada@example.com', 'guess')).rejects.toThrow('Wrong password');
    expect(store.state.value).toBeDefined();
    expect(api.session.value).toBe('in');
  });

  test.each([
    ['Signs out', () => account.signOut(), 'DELETE /session'],
    ['Is closed', () => own.deactivateSelf(), 'DELETE /users/me'],
  ])('%s at the service first, and then loads an empty page', async (_what, leave, call) => {
    const left: string[] = [];
    const assign = (to: string) => left.push(to, ...page.calls.map((made) => made.call));
    Object.assign(page.location, { assign });
    await leave();
    expect(left).toEqual(['/login/', call]);
  });

  test('Requests the organization before signing in, and mails for another password or address', async () => {
    page.answer = () => ({ body: { realm_name: 'Kiln', email: 'new@example.com' } });
    expect(await account.serverSettings()).toMatchObject({ realm_name: 'Kiln' });
    await account.askForPasswordReset('ada@example.com');
    await account.resetPassword('a/b', 'new secret');
    expect(await account.confirmNewAddress('a/b')).toBe('new@example.com');
    expect(asked()).toEqual([
      ['GET /server_settings', {}],
      ['POST /password_reset', { email: 'ada@example.com' }],
      ['POST /password_reset/a%2Fb', { password: 'new secret' }],
      ['POST /settings/email/a%2Fb', {}],
    ]);
  });
});
