import { batch } from '@preact/signals';
import { emptyCache } from '#web/state/cache.ts';
import { call, session } from './api.ts';
import { cache, state } from './store.ts';

export interface ServerSettings {
  realm_name: string;
  realm_icon: string;
  realm_description: string;
  email_auth_enabled: boolean;
}

/** The public settings of the organization, readable before sign-in. */
export const serverSettings = (): Promise<ServerSettings> => call<ServerSettings>('GET', '/server_settings');

export async function signIn(username: string, password: string): Promise<void> {
  await call('POST', '/session', { username, password });
  begin();
}

/** Another person may have signed in than the one before: nothing of that account is shown to them. */
const begin = (): void =>
  batch(() => {
    state.value = undefined;
    cache.value = emptyCache;
    session.value = 'unknown';
  });

/** Signs in by the token of a link that works once. */
export async function signInByToken(token: string): Promise<void> {
  await call('POST', '/session', { token });
  begin();
}

/** Ends the session, and begins with an empty page, so that nothing of the account stays in memory or, for use without network,
 * on the device. */
export async function signOut(): Promise<void> {
  await call('DELETE', '/session');
  const { forgetAll } = await import('./offline/keeping.ts');
  await forgetAll();
  location.assign('/login/');
}

export const askForPasswordReset = (email: string): Promise<unknown> =>
  call('POST', '/password_reset', { email });

/** Sets a new password by the key that a mail carried, and signs in. */
export const resetPassword = (key: string, password: string): Promise<unknown> =>
  call('POST', `/password_reset/${encodeURIComponent(key)}`, { password });

/** Confirms a new address by the key of a mail; returns it. @throws ApiError in the words of the service */
export async function confirmNewAddress(key: string): Promise<string> {
  const { email } = await call<{ email: string }>('POST', `/settings/email/${encodeURIComponent(key)}`);
  return email;
}
