import { useState } from 'preact/hooks';
import { explain } from '#web/net/api.ts';
import { type Move, moveMessages } from '#web/net/message-actions.ts';
import { openNarrow } from '#web/net/router.ts';
import { cache, ownChannels, server, tell } from '#web/net/store.ts';
import { closeDialog, openDialog } from '#web/parts/dialog.tsx';
import { Failure } from '#web/parts/form.tsx';
import { topicNarrow } from '#web/state/narrow.ts';
import type { Message } from '#web/state/wire-messages.ts';

export const openMove = (message: Message): void =>
  openDialog('Move messages', () => <MoveForm message={message} />);

const WHICH: [Move['which'], string][] = [
  ['change_later', 'This message and the later ones of the topic'],
  ['change_all', 'All messages of the topic'],
  ['change_one', 'This message only'],
];

/** Moves one message, the rest of a topic or all of it to another topic or channel. */
function MoveForm({ message }: { message: Message }) {
  const [move, setMove] = useState<Move>({
    channelId: message.stream_id ?? 0,
    topic: message.subject,
    which: 'change_later',
    tellsOld: false,
    tellsNew: true,
  });
  const [failure, setFailure] = useState('');
  const set = (changes: Partial<Move>): void => setMove({ ...move, ...changes });
  const submit = async (): Promise<void> => {
    setFailure('');
    try {
      await moveMessages(message, { ...move, topic: move.topic.trim() });
    } catch (reason) {
      setFailure(explain(reason));
      return;
    }
    closeDialog();
    tell('The messages were moved.', {
      label: 'Go there',
      run: () => openNarrow(topicNarrow(move.channelId, move.topic.trim()), message.id),
    });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Target move={move} set={set} />
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
      <Failure text={failure} />
      <div class="dialog-foot">
        <button type="button" class="button" onClick={closeDialog}>
          Cancel
        </button>
        <button type="submit" class="button primary">
          Move
        </button>
      </div>
    </form>
  );
}

interface Part {
  move: Move;
  set: (changes: Partial<Move>) => void;
}

function Target({ move, set }: Part) {
  const channels = [...ownChannels.value.values()].filter(({ is_archived }) => !is_archived);
  const topics = cache.value.topics.get(move.channelId) ?? [];
  return (
    <>
      <label class="field">
        Channel
        <select
          class="input"
          value={move.channelId}
          onChange={(event) => set({ channelId: Number(event.currentTarget.value) })}
        >
          {channels.map(({ stream_id: id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        Topic
        <input
          class="input"
          value={move.topic}
          maxLength={server.value.max_topic_length}
          list="move-topics"
          onInput={(event) => set({ topic: event.currentTarget.value })}
        />
      </label>
      <datalist id="move-topics">
        {topics.slice(0, 100).map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

function Notices({ move, set }: Part) {
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
