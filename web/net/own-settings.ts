import { signal } from '@preact/signals';
import { t } from '#web/texts/texts.ts';
import { call, readReply, renewSession } from './api.ts';
import { attempt } from './message-actions.ts';
import { nameOfPerson, server, showNotice } from './store.ts';

/** Changes settings of the viewer. @throws ApiError in the words of the service */
export const saveSettings = (changes: Record<string, unknown>): Promise<unknown> =>
  call('PATCH', '/settings', changes);

/** Sends a picture. @throws ApiError in the words of the service */
export async function sendPicture(
  path: string,
  file: File,
  { method = 'POST', fields = {} }: { method?: 'POST' | 'PATCH'; fields?: Record<string, string> } = {},
): Promise<void> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append('file', file, file.name);
  await readReply(await fetch(`/api/v1${path}`, { method, body, credentials: 'same-origin' }));
}

/** The API key while it is shown; empty otherwise. It outlives the session that a new key ends. */
export const shownKey = signal('');

/** Shows the API key after the password is confirmed. @throws ApiError in the words of the service */
export async function revealApiKey(password: string): Promise<void> {
  const params = { username: server.value.delivery_email, password };
  shownKey.value = (await call<{ api_key: string }>('POST', '/fetch_api_key', params)).api_key;
}

/** Makes another API key, once the password was right; the one of before stops working. @throws ApiError */
export async function rotateApiKey(password: string): Promise<void> {
  await revealApiKey(password);
  await renewSession(async () => {
    const reply = await call<{ api_key: string }>('POST', '/users/me/api_key/regenerate');
    shownKey.value = reply.api_key;
    // A new key ends every session; this browser begins another one.
    await call('POST', '/session', { username: server.value.delivery_email, password });
  });
}

/** Changes the password; the service gives this browser another session. @throws ApiError in the words of the service */
export async function changePassword(before: string, after: string): Promise<void> {
  await renewSession(() => saveSettings({ old_password: before, new_password: after }));
}

/** Deactivates the account, and begins with an empty page. @throws ApiError in the words of the service */
export async function deactivateSelf(): Promise<void> {
  await call('DELETE', '/users/me');
  location.assign('/login/');
}

export const addAlertWord = (word: string): Promise<unknown> =>
  call('POST', '/users/me/alert_words', { alert_words: [word] });

export async function removeAlertWord(word: string): Promise<void> {
  const isRemoved = await attempt(t('actions.theWordWasNotRemoved'), () =>
    call('DELETE', '/users/me/alert_words', { alert_words: [word] }),
  );
  if (isRemoved)
    showNotice(t('actions.wordIsNoAlertWord', { word }), {
      label: t('common.undo'),
      run: () => void addAlertWord(word),
    });
}

export const mutePerson = (userId: number): Promise<boolean> =>
  attempt(t('actions.notMuted'), () => call('POST', `/users/me/muted_users/${userId}`));

export async function unmutePerson(userId: number): Promise<void> {
  const isUnmuted = await attempt(t('actions.notUnmuted'), () =>
    call('DELETE', `/users/me/muted_users/${userId}`),
  );
  if (isUnmuted)
    showNotice(t('actions.nameIsNotMutedNow', { name: nameOfPerson(userId) }), {
      label: t('common.undo'),
      run: () => void mutePerson(userId),
    });
}
