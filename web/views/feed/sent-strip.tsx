import { useEffect } from 'preact/hooks';
import { tryNow } from '#web/net/events/patience.ts';
import { forget, lastSent, outbox, retry } from '#web/net/sending.ts';
import { useServer } from '#web/net/store.ts';
import { Icon } from '#web/parts/icon.tsx';
import { timeOf } from '#web/parts/time.ts';
import { nameFiles } from '#web/state/attachments.ts';
import { type Pending, type Sent, stripOf } from '#web/state/feed/outbox.ts';
import { conversationOf, type Narrow } from '#web/state/narrow.ts';
import { t } from '#web/texts/texts.ts';
import { putText } from '#web/views/compose/hosts.ts';

/** Shows the latest sent message while its row is out of sight, and leads there. */
export function SentStrip({
  narrow,
  isEndInSight,
  toNewest,
}: {
  narrow: Narrow;
  isEndInSight: boolean;
  toNewest: () => void;
}) {
  const conversation = conversationOf(narrow);
  const sent = lastSent.value;
  useEffect(() => {
    if (isEndInSight && sent) lastSent.value = undefined;
  }, [isEndInSight, sent]);
  if (!conversation) return null;
  const strip = stripOf(conversation, outbox.value, sent, isEndInSight);
  if (!strip) return null;
  return (
    <div class="sent-strip">
      {strip.kind === 'sent' ? <SentLine sent={strip.sent} /> : <PendingLine pending={strip.pending} />}
      <button type="button" class="button" onClick={toNewest}>
        <Icon name="arrow-down" />
        {t('feed.jumpToNewest')}
      </button>
    </div>
  );
}

function SentLine({ sent: { content, timestamp } }: { sent: Sent }) {
  const is24Hours = useServer(({ user_settings }) => user_settings.twenty_four_hour_time);
  return (
    <>
      <span class="sent-strip-state" role="status">
        <Icon name="check" />
        {t('feed.sentTime', { time: timeOf(timestamp, is24Hours) })}
      </span>
      <span class="sent-strip-text">{nameFiles(content)}</span>
    </>
  );
}

function PendingLine({ pending: { id, conversation, content, status, reason } }: { pending: Pending }) {
  if (status === 'failed')
    return (
      <>
        <span class="sent-strip-state failure" role="alert">
          <Icon name="circle-alert" />
          {t('feed.notSentReason', { reason: reason ?? '' })}
        </span>
        <span class="sent-strip-text">{nameFiles(content)}</span>
        <button type="button" class="button" onClick={() => retry(id)}>
          {t('feed.tryAgain')}
        </button>
        <button
          type="button"
          class="button"
          onClick={() => {
            forget(id);
            putText(conversation, content);
          }}
        >
          {t('feed.edit')}
        </button>
      </>
    );
  return (
    <>
      <span class="sent-strip-state" role="status">
        {reason ?? t('feed.sendingDots')}
      </span>
      <span class="sent-strip-text">{nameFiles(content)}</span>
      {status === 'waiting' && (
        <button
          type="button"
          class="button"
          onClick={() => {
            tryNow();
            retry(id);
          }}
        >
          {t('feed.tryNow')}
        </button>
      )}
    </>
  );
}
