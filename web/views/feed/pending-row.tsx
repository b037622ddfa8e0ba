import { useEffect, useRef, useState } from 'preact/hooks';
import { tryNow } from '#web/net/events/patience.ts';
import { forget, retry } from '#web/net/sending.ts';
import { nameOfPerson, server } from '#web/net/store.ts';
import { Avatar } from '#web/parts/avatar.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { nameFiles } from '#web/state/attachments.ts';
import type { Pending } from '#web/state/feed/outbox.ts';
import { t } from '#web/texts/texts.ts';
import { putText } from '#web/views/compose/hosts.ts';

/** An own message on its way; one that waits says until when, one that failed stays, with what to do. */
export function PendingRow({ pending }: { pending: Pending }) {
  const { status } = pending;
  const content = nameFiles(pending.content);
  const ownId = server.value.user_id;
  return (
    <article class="feed-row last" aria-label={`${nameOfPerson(ownId)}: ${content}`}>
      <div class={`message first pending ${status}`}>
        <span class="sender-picture">
          <Avatar userId={ownId} />
        </span>
        <div class="message-body">
          <div class="sender">
            <span class="sender-name">{nameOfPerson(ownId)}</span>
            <span class="sent">{STATES[status]}</span>
          </div>
          <p class="pending-text" dir="auto">
            {content}
          </p>
          {status === 'failed' && <Failed pending={pending} />}
          {status === 'waiting' && pending.nextTryAtMs !== undefined && <Waiting pending={pending} />}
        </div>
      </div>
    </article>
  );
}

const STATES: Record<Pending['status'], string> = {
  waiting: t('feed.notSentYet'),
  sending: t('feed.sending'),
  sent: t('feed.sent'),
  failed: t('feed.notSent'),
};

/** A line that came below a message at the end of the feed is brought into the window, when the list knows its height. */
function useSeen() {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => element.current?.scrollIntoView({ block: 'nearest' }), SIZED_MS);
    return () => clearTimeout(timer);
  }, []);
  return element;
}
const SIZED_MS = 100;

function Failed({ pending: { id, conversation, content, reason } }: { pending: Pending }) {
  return (
    <div class="failure" role="alert" ref={useSeen()}>
      <Icon name="circle-alert" />
      <span>{reason}</span>
      <button type="button" class="button" onClick={() => retry(id)}>
        {t('feed.retry')}
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
    </div>
  );
}

function Waiting({ pending: { id, reason, nextTryAtMs = 0 } }: { pending: Pending }) {
  const [nowMs, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(1, Math.ceil((nextTryAtMs - nowMs) / 1000));
  return (
    <div class="waiting" ref={useSeen()}>
      <span role="status">{reason}</span>
      {Number.isFinite(nextTryAtMs) && <span>{t('feed.nextTryInSecondsS', { seconds })}</span>}
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
    </div>
  );
}
