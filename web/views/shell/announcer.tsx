import { useEffect, useState } from 'preact/hooks';
import { onEvent } from '#web/net/hearing.ts';
import { wordsOf } from '#web/net/notifying.ts';
import { shownNarrow } from '#web/net/pages.ts';
import { nameOfPerson, server } from '#web/net/store.ts';
import { announce, type Heard, isAnnounced } from '#web/state/feed/announce.ts';
import { t } from '#web/texts/texts.ts';

const TOGETHER_MS = 1_500;

/** Announces new messages of the open feed and to the viewer to screen readers; holds one sentence at a time. */
export function Announcer() {
  const [sentence, setSentence] = useState('');
  useEffect(() => {
    let waiting: Heard[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onEvent('message', (event) => {
      const heard = event;
      if (!isAnnounced(heard, shownNarrow(), server.value)) return;
      waiting.push(heard);
      timer ??= setTimeout(() => {
        setSentence(
          announce(
            waiting.map(({ message }) => ({
              sender: nameOfPerson(message.sender_id),
              text: wordsOf(message),
            })),
          ),
        );
        waiting = [];
        timer = undefined;
      }, TOGETHER_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, []);
  return (
    <div class="hidden-visually" role="log" aria-label={t('shell.newMessages')} aria-live="polite">
      {sentence}
    </div>
  );
}
