import { t } from '#web/texts/texts.ts';
import { call } from './api.ts';
import { forgetKept, keep, readKept } from './device.ts';
import type { Emoji } from './message-actions.ts';
import { attempt } from './message-actions.ts';
import { saveSettings } from './own-settings.ts';
import { serviceNowMs } from './service-clock.ts';
import { server } from './store.ts';

const NAME = (): string => `status ends ${server.value.user_id}`;

/** Sets what others see beside the viewer's name, until it is cleared or its time has come. */
export async function setStatus(text: string, emoji: Emoji | undefined, endsAtMs?: number): Promise<boolean> {
  const isSet = await attempt(t('actions.couldntSetYourStatus'), () =>
    call('POST', '/users/me/status', {
      status_text: text,
      emoji_name: emoji?.emoji_name ?? '',
      emoji_code: emoji?.emoji_code ?? '',
      reaction_type: emoji?.reaction_type ?? '',
    }),
  );
  if (isSet && endsAtMs !== undefined) keep(NAME(), String(endsAtMs));
  else if (isSet) forgetKept(NAME());
  return isSet;
}

export const clearStatus = (): Promise<boolean> => setStatus('', undefined);

/** Whether others see that the viewer is here. */
export const setVisible = (isVisible: boolean): Promise<boolean> =>
  attempt(t('actions.couldntChangeYourVisibility'), () => saveSettings({ presence_enabled: isVisible }));

const LOOK_EVERY_MS = 30_000;

/** Clears the status when its time has come; returns what ends it. */
export function watchStatusEnd(): () => void {
  const look = (): void => {
    const endsAtMs = Number(readKept(NAME()) ?? Number.NaN);
    if (endsAtMs <= serviceNowMs()) void clearStatus();
  };
  look();
  const timer = setInterval(look, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}
