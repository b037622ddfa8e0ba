import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { keep, readKept } from '#web/net/device.ts';
import { attempt } from '#web/net/message-actions.ts';
import { saveSettings } from '#web/net/own-settings.ts';
import { lastSent } from '#web/net/sending.ts';
import { server } from '#web/net/store.ts';
import { labelOfKey } from '#web/state/shortcuts.ts';
import { rich, t } from '#web/texts/texts.ts';

/** Replaced when the hint has been read: storage has no signal. */
const change = signal(Symbol());

const nameOfHint = (): string => `enter hint ${server.value.user_id}`;

function dismiss(): void {
  keep(nameOfHint(), 'read');
  change.value = Symbol();
}

const focusComposer = (): void => document.getElementById('compose-text')?.focus();

/** Explains the Enter key when a person first writes on this device, and offers to swap its two meanings. */
export function EnterHint({ isWriting, enterSends }: { isWriting: boolean; enterSends: boolean }) {
  const isRead = change.value && readKept(nameOfHint()) !== null;
  const sent = lastSent.value;
  useEffect(() => {
    if (sent && !isRead) dismiss();
  }, [sent]);
  if (isRead || !isWriting) return null;
  const strong = (key: ComponentChildren) => <kbd>{key}</kbd>;
  const swap = (): void => {
    void attempt(t('compose.couldntChangeTheSetting'), () => saveSettings({ enter_sends: !enterSends }));
    focusComposer();
  };
  return (
    <div class="enter-hint">
      <span role="status">
        {enterSends
          ? rich('compose.enterSendsShiftEnterBreaks', { key: labelOfKey('Shift+Enter'), strong })
          : rich('compose.enterBreaksKeySends', { key: labelOfKey('Ctrl+Enter'), strong })}
      </span>
      <button type="button" onClick={swap}>
        {t('compose.swap')}
      </button>
      <button
        type="button"
        class="got-it"
        onClick={() => {
          focusComposer();
          dismiss();
        }}
      >
        {t('compose.gotIt')}
      </button>
    </div>
  );
}
