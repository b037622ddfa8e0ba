import { useState } from 'preact/hooks';
import { type Move, moveMessages } from '#web/net/message-actions.ts';
import { moveRightsIn } from '#web/net/rights.ts';
import { openNarrow, route } from '#web/net/router.ts';
import { showNotice, topicLabel, useServer } from '#web/net/store.ts';
import { openDialog } from '#web/parts/dialog.tsx';
import { useClose } from '#web/parts/dialog-context.ts';
import { Form } from '#web/parts/form.tsx';
import { PlaceFields } from '#web/parts/place-fields.tsx';
import { operandOf, topicNarrow } from '#web/state/narrow.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { t } from '#web/texts/texts.ts';

export const openMove = (message: Message, which: Move['which'] = 'change_later'): void =>
  openDialog(t('feed.moveMessages'), () => <MoveForm message={message} which={which} />);

const WHICH: [Move['which'], string][] = [
  ['change_later', t('feed.thisMessageAndTheLater')],
  ['change_all', t('feed.allMessagesOfTheTopic')],
  ['change_one', t('feed.thisMessageOnly')],
];

/** Moves one message, the rest of a topic or all of it to another topic or channel. */
function MoveForm({ message, which }: { message: Message; which: Move['which'] }) {
  const close = useClose();
  const [move, setMove] = useState<Move>({
    channelId: message.stream_id ?? 0,
    topic: message.subject,
    which,
    tellsOld: false,
    tellsNew: true,
  });
  const set = (changes: Partial<Move>): void => setMove({ ...move, ...changes });
  const mayRename = useServer(() => moveRightsIn(message.stream_id, message).mayRename, [message]);
  const mayMoveOut = useServer(() => moveRightsIn(message.stream_id, message).mayMoveOut, [message]);
  const submit = async (): Promise<void> => {
    await moveMessages(message, { ...move, topic: move.topic.trim() });
    close();
    const there = topicNarrow(move.channelId, move.topic.trim());
    const now = route.value;
    // A reader of the topic goes along with it.
    if (now.view === 'narrow' && operandOf(now.narrow, 'topic') !== undefined && move.which === 'change_all')
      return;
    showNotice(t('feed.messagesMovedToTopic', { topic: topicLabel(move.topic.trim()) }), {
      label: t('feed.goThere'),
      run: () => openNarrow(there, message.id),
    });
  };
  return (
    <Form label={t('feed.moveMessages')} submit={submit} cancel={close}>
      <PlaceFields place={move} set={set} isChannelFixed={!mayMoveOut} isTopicFixed={!mayRename} />
      <fieldset class="choices">
        <legend>{t('feed.whatToMove')}</legend>
        {WHICH.map(([value, label]) => (
          <label key={value}>
            <input
              type="radio"
              name="which"
              checked={move.which === value}
              onChange={() => set({ which: value })}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <Notices move={move} set={set} />
    </Form>
  );
}

function Notices({ move, set }: { move: Move; set: (changes: Partial<Move>) => void }) {
  return (
    <fieldset class="choices">
      <legend>{t('feed.tellOfItByA')}</legend>
      <label>
        <input
          type="checkbox"
          checked={move.tellsNew}
          onChange={(event) => set({ tellsNew: event.currentTarget.checked })}
        />
        {t('feed.inTheTopicThatThey')}
      </label>
      <label>
        <input
          type="checkbox"
          checked={move.tellsOld}
          onChange={(event) => set({ tellsOld: event.currentTarget.checked })}
        />
        {t('feed.inTheTopicThatTheyLeave')}
      </label>
    </fieldset>
  );
}
