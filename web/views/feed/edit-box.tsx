import { useEffect, useRef, useState } from 'preact/hooks';
import { explain } from '#web/net/api.ts';
import { addToEdit, discardEdit, uploadsOf } from '#web/net/edit-uploads.ts';
import { editsChange, forgetEdit, keepEdit, readEdit } from '#web/net/edits.ts';
import { onEvent } from '#web/net/hearing.ts';
import { editMessage, sourceOf } from '#web/net/message-actions.ts';
import { openNarrow } from '#web/net/router.ts';
import { cache, server, showNotice } from '#web/net/store.ts';
import { type Edit, isChanged } from '#web/state/feed/edits.ts';
import { deletedIds } from '#web/state/messages.ts';
import { movedBy } from '#web/state/moves.ts';
import { type Conversation, conversationOfMessage, narrowOf } from '#web/state/narrow.ts';
import type { DeletionEvent } from '#web/state/wire-events.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { t } from '#web/texts/texts.ts';
import { putText } from '#web/views/compose/hosts.ts';
import { onFormatKey } from '#web/views/compose/keys.ts';
import { dropWith, pasteWith } from '#web/views/compose/uploads.ts';
import { EditUploads, useOpenEdit } from './edit-files.tsx';
import { editingId } from './selection.ts';

/** Editing in place. A simultaneous change from elsewhere is shown, not overwritten. */
export function EditBox({ message }: { message: Message }) {
  const [begun, setBegun] = useState<Edit | undefined>(() => readEdit(message.id));
  const [failure, setFailure] = useState('');
  const before = begun?.before;
  const text = begun?.text ?? '';
  const isSaving = useRef(false);
  const change = (edit: Edit): void => {
    keepEdit(message.id, edit);
    setBegun(edit);
    setFailure('');
  };
  useEffect(() => {
    if (begun) return;
    sourceOf(message.id).then(
      (source) => setBegun({ before: source, text: source }),
      (reason) => setFailure(explain(reason)),
    );
  }, [message.id]);
  useOpenEdit(message.id, begun, change);
  const leave = (): void => {
    editingId.value = undefined;
    editsChange.value = Symbol();
  };
  const discard = (): void => {
    // A text that is being saved cannot be discarded.
    if (isSaving.current) {
      leave();
      return;
    }
    const edit = begun;
    discardEdit(message.id);
    leave();
    if (!edit || !isChanged(edit)) return;
    showNotice(t('feed.editDiscarded'), {
      label: t('common.undo'),
      run: () => {
        keepEdit(message.id, edit);
        editingId.value = message.id;
      },
    });
  };
  /** Ends the edit after a text was saved; a text written meanwhile continues from that. */
  const end = (saved: string): void => {
    const now = readEdit(message.id);
    if (now && now.text !== saved) {
      change({ before: saved, text: now.text });
      return;
    }
    forgetEdit(message.id);
    if (editingId.peek() === message.id) leave();
  };
  const save = async (): Promise<void> => {
    if (before === undefined || isSaving.current) return;
    const isUploading = uploadsOf(message.id).length > 0;
    if (text === before && !isUploading) return discard();
    const obstacle = isUploading ? t('compose.waitForUploadsToFinish') : obstacleOf(text);
    if (obstacle !== undefined) return setFailure(obstacle);
    isSaving.current = true;
    try {
      if (!(await editMessage(message, before, text)))
        return setFailure(t('feed.someoneElseEditedThisMessage'));
      end(text);
    } catch (reason) {
      setFailure(explain(reason));
    } finally {
      isSaving.current = false;
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
      <EditField
        edit={begun}
        change={change}
        leave={leave}
        save={() => void save()}
        addFiles={(files) => begun && addToEdit(message.id, files, begun)}
      />
      <EditUploads messageId={message.id} />
      {failure !== '' && (
        <p class="failure" role="alert">
          {failure}
        </p>
      )}
      <div class="edit-foot">
        <button type="submit" class="button primary">
          {t('common.save')}
        </button>
        <button type="button" class="button" onClick={discard}>
          {t('feed.cancel')}
        </button>
      </div>
    </form>
  );
}

/** Why a text cannot be saved: the service would cut a long one, and write "(deleted)" for an empty one. */
function obstacleOf(text: string): string | undefined {
  const over = [...text.trimEnd()].length - server.value.max_message_length;
  if (over > 0) return t('compose.shortenYourMessage', { count: over });
  return text.trim() === '' ? t('feed.writeSomethingOrDelete') : undefined;
}

function EditField({
  edit,
  change,
  leave,
  save,
  addFiles,
}: {
  edit: Edit | undefined;
  change: (edit: Edit) => void;
  leave: () => void;
  save: () => void;
  addFiles: (files: Iterable<File>) => void;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const isReady = edit !== undefined;
  useEffect(() => {
    if (isReady) field.current?.focus();
  }, [isReady]);
  const text = edit?.text ?? '';
  return (
    <textarea
      class="input"
      dir="auto"
      aria-label={t('feed.editMessage')}
      value={text}
      disabled={!isReady}
      rows={Math.min(14, text.split('\n').length + 1)}
      ref={field}
      onInput={(event) => {
        if (edit) change({ ...edit, text: event.currentTarget.value });
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          // The edited text is kept, and offered below the message.
          leave();
        }
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
        else onFormatKey(event);
      }}
      onPaste={(event) => pasteWith(addFiles, event)}
      onDrop={(event) => dropWith(addFiles, event)}
    />
  );
}

/** Offers to go on with an edit that was left. */
export function UnfinishedEdit({ message }: { message: Message }) {
  const edit = editsChange.value ? readEdit(message.id) : undefined;
  if (!edit || editingId.value === message.id || message.sender_id !== server.value.user_id) return null;
  return (
    <p class="unfinished-edit">
      {t('feed.unfinishedEdit')}
      <button
        type="button"
        class="button"
        onClick={() => {
          editingId.value = message.id;
        }}
      >
        {t('feed.continue')}
      </button>
      <button type="button" class="button" onClick={() => discardEdit(message.id)}>
        {t('feed.discard')}
      </button>
    </p>
  );
}

/** The former place of a deleted message; an edit from before the page opened has no known message. */
function placeOf(
  { stream_id: channelId, topic }: DeletionEvent,
  message: Message | undefined,
): Conversation | undefined {
  if (channelId !== undefined && topic !== undefined) return { type: 'stream', channelId, topic };
  return message && conversationOfMessage(message, server.value.user_id);
}

/** Saves the text of an edit whose message another person deletes or moves away; returns what ends it. */
export function watchEdits(): () => void {
  const known = new Map<number, Message>();
  const note = (id: number | undefined): void => {
    const message = cache.peek().byId.get(id ?? 0);
    if (message) known.set(message.id, message);
  };
  const stopNoting = editingId.subscribe(note);
  const stopDeletions = onEvent('delete_message', (event) => {
    for (const id of deletedIds(event)) {
      const edit = readEdit(id);
      const place = placeOf(event, known.get(id));
      if (editingId.peek() === id) editingId.value = undefined;
      if (!edit || !place) continue;
      discardEdit(id);
      putText(place, edit.text);
      showNotice(t('feed.theMessageYouWereEditing'));
    }
  });
  const stopMoves = onEvent('update_message', (event) => {
    const moved = movedBy(event);
    const id = editingId.peek();
    for (const messageId of moved?.messageIds ?? []) if (known.has(messageId)) note(messageId);
    if (!moved || id === undefined || !moved.messageIds.includes(id) || !readEdit(id)) return;
    showNotice(t('feed.theMessageYoureEditingWas'), {
      label: t('feed.goThere'),
      run: () => openNarrow(narrowOf(moved.to), id),
    });
  });
  return () => {
    stopNoting();
    stopDeletions();
    stopMoves();
  };
}
