import { useEffect, useState } from 'preact/hooks';
import { ApiError, explain } from '#web/net/api.ts';
import { editMessage, sourceOf } from '#web/net/message-actions.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { editingId } from './selection.ts';

interface Edit {
  before: string;
  text: string;
}

/** Edits that were begun, by message: a row that leaves the window, or the page, is drawn anew. */
const edits = new Map<number, Edit>();

/** Editing in place. What another device changed meanwhile is told, not overwritten. */
export function EditBox({ message }: { message: Message }) {
  const [begun, setBegun] = useState(edits.get(message.id));
  const [failure, setFailure] = useState('');
  const before = begun?.before;
  const text = begun?.text ?? '';
  const keep = (edit: Edit): void => {
    edits.set(message.id, edit);
    setBegun(edit);
  };
  useEffect(() => {
    if (begun) return;
    sourceOf(message.id).then(
      (source) => keep({ before: source, text: source }),
      (reason) => setFailure(explain(reason)),
    );
  }, [message.id]);
  const close = (): void => {
    edits.delete(message.id);
    editingId.value = undefined;
  };
  const save = async (): Promise<void> => {
    if (before === undefined) return;
    if (text === before) return close();
    try {
      await editMessage(message, before, text);
      close();
    } catch (reason) {
      const isStale = reason instanceof ApiError && reason.code === 'EXPECTATION_MISMATCH';
      setFailure(
        isStale
          ? 'The message was changed elsewhere. Copy your text, cancel, and edit again.'
          : explain(reason),
      );
    }
  };
  return (
    <form
      class="edit-box"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <textarea
        class="input"
        aria-label="Edit the message"
        value={text}
        disabled={before === undefined}
        rows={Math.min(14, text.split('\n').length + 1)}
        ref={(element) => {
          if (element && before !== undefined && document.activeElement !== element) element.focus();
        }}
        onInput={(event) => {
          if (before !== undefined) keep({ before, text: event.currentTarget.value });
        }}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (event.key === 'Escape') {
            event.stopPropagation();
            close();
          }
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
        }}
      />
      {failure !== '' && (
        <p class="failure" role="alert">
          {failure}
        </p>
      )}
      <div class="edit-foot">
        <button type="submit" class="button primary">
          Save
        </button>
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  );
}
