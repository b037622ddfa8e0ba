import { useEffect, useState } from 'preact/hooks';
import { tryNow } from '#web/net/events/patience.ts';
import { connection, dismiss, isNoticeHeld, isOutdated, notices } from '#web/net/store.ts';
import { Icon, IconButton } from '#web/parts/icon.tsx';
import { t } from '#web/texts/texts.ts';

const REASONS = {
  unreachable: t('shell.noConnectionWhatYouWrite'),
  busy: t('shell.theServiceAsksForA'),
  broken: t('shell.theServiceHasAProblem'),
};

/** Says that the service cannot be reached, and when the next try comes. */
export function ConnectionBanner() {
  const { status, nextTryAtMs = 0, reason = 'unreachable' } = connection.value;
  const [nowMs, setNow] = useState(Date.now());
  useEffect(() => {
    if (status === 'connected') return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [status]);
  if (status === 'connected') return null;
  const seconds = Math.max(1, Math.ceil((nextTryAtMs - nowMs) / 1000));
  return (
    <div class="banner">
      <Icon name="wifi-off" />
      {/* The seconds change all the time; only the reason is announced. */}
      <span role="alert">{status === 'trying' ? t('shell.connectingAgain') : REASONS[reason]}</span>
      {status === 'waiting' && <span>{t('shell.nextTryInSecondsS', { seconds })}</span>}
      {status === 'waiting' && (
        <button type="button" class="button" onClick={tryNow}>
          {t('shell.tryNow')}
        </button>
      )}
    </div>
  );
}

const hold = (isHeld: boolean) => () => {
  isNoticeHeld.value = isHeld;
};

export function Notices() {
  return (
    <div
      class="notices"
      aria-live="polite"
      onPointerEnter={hold(true)}
      onPointerLeave={hold(false)}
      onFocusIn={hold(true)}
      onFocusOut={hold(false)}
    >
      {isOutdated.value && (
        <div class="notice">
          <span>{t('shell.aNewVersionIsReady')}</span>
          <button type="button" onClick={() => location.reload()}>
            {t('shell.reload')}
          </button>
        </div>
      )}
      {notices.value.map(({ id, text, action }) => (
        <div class="notice" key={id}>
          <span>{text}</span>
          {action && (
            <button
              type="button"
              onClick={() => {
                action.run();
                dismiss(id);
              }}
            >
              {action.label}
            </button>
          )}
          <IconButton icon="x" label={t('shell.dismiss')} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
