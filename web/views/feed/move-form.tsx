import { useState } from 'preact/hooks';
import { type Move, moveMessages } from '#web/net/message-actions.ts';
import { openNarrow, route } from '#web/net/router.ts';
import { tell, topicLabel } from '#web/net/store.ts';
import { closeDialog, openDialog } from '#web/parts/dialog.tsx';
import { Form } from '#web/parts/form.tsx';
import { PlaceFields } from '#web/parts/place-fields.tsx';
import { operandOf, topicNarrow } from '#web/state/narrow.ts';
import type { Message } from '#web/state/wire-messages.ts';

export const openMove = (message: Message, which: Move['which'] = 'change_later'): void =>
  openDialog('Move messages', () => <MoveForm message={message} which={which} />);

const WHICH: [Move['which'], string][] = [
  ['change_later', 'This message and the later ones of the topic'],
  ['change_all', 'All messages of the topic'],
  ['change_one', 'This message only'],
];

/** Moves one message, the rest of a topic or all of it to another topic or channel. */
function MoveForm({ message, which }: { message: Message; which: Move['which'] }) {
  const [move, setMove] = useState<Move>({
    channelId: message.stream_id ?? 0,
    topic: message.subject,
    which,
    tellsOld: false,
    tellsNew: true,
  });
  const set = (changes: Partial<Move>): void => setMove({ ...move, ...changes });
  const submit = async (): Promise<void> => {
    await moveMessages(message, { ...move, topic: move.topic.trim() });
    closeDialog();
    const there = topicNarrow(move.channelId, move.topic.trim());
    const now = route.value;
    // A reader of the topic goes along with it.
    if (now.view === 'narrow' && operandOf(now.narrow, 'topic') !== undefined && move.which === 'change_all')
      return;
    tell(`Messages moved to “${topicLabel(move.topic.trim())}”`, {
      label: 'Go there',
      run: () => openNarrow(there, message.id),
    });
  };
  return (
    <Form label="Move" submit={submit} cancel={closeDialog}>
      <PlaceFields place={move} set={set} />
      <fieldset class="choices">
        <legend>What to move</legend>
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
      <legend>Tell of it by a notice</legend>
      <label>
        <input
          type="checkbox"
          checked={move.tellsNew}
          onChange={(event) => set({ tellsNew: event.currentTarget.checked })}
        />
        In the topic that they come to
      </label>
      <label>
        <input
          type="checkbox"
          checked={move.tellsOld}
          onChange={(event) => set({ tellsOld: event.currentTarget.checked })}
        />
        In the topic that they leave
      </label>
    </fieldset>
  );
}
