import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { explain } from '#web/net/api.ts';
import { keep, readKept } from '#web/net/device.ts';
import {
  endDraft,
  keepDraft,
  localDraftsChange,
  readDraft,
  readOtherTab,
  readOutside,
} from '#web/net/drafts.ts';
import { attempt } from '#web/net/message-actions.ts';
import { saveSettings } from '#web/net/own-settings.ts';
import { noteTyping, stopTyping } from '#web/net/presence.ts';
import { preview, schedule, send } from '#web/net/sending.ts';
import { ownChannels, server, showNotice, useServer } from '#web/net/store.ts';
import { closeDialog, openDialog } from '#web/parts/dialog.tsx';
import { Icon, IconButton } from '#web/parts/icon.tsx';
import { momentOf } from '#web/parts/time.ts';
import { TimeChoice } from '#web/parts/time-choice.tsx';
import { type Conversation, keyOfNarrow, narrowOf } from '#web/state/narrow.ts';
import { isMac } from '#web/state/shortcuts.ts';
import { t } from '#web/texts/texts.ts';
import { pickEmojiText } from '../feed/pick-emoji.tsx';
import { CallButton } from './call-button.tsx';
import { type Completions, complete } from './completion.ts';
import { CompletionList } from './completion-list.tsx';
import { FormatBar } from './format-bar.tsx';
import { GifButton } from './gif-button.tsx';
import { GuestWarning } from './guest-warning.tsx';
import { holdHost } from './hosts.ts';
import { type ComposeActions, onComposeKey } from './keys.ts';
import { Preview } from './preview.tsx';
import { openSnippets } from './snippets.tsx';
import { replaceIn, writeInto } from './text.ts';
import { Typing } from './typing.tsx';
import { useUploads, withoutLost } from './uploads.ts';
import { whereTo } from './where-to.ts';

export interface ComposeState {
  text: Signal<string>;
  completions: Signal<Completions | undefined>;
  chosen: Signal<number>;
}

/** The destination of a composer whose conversation is chosen while writing. */
export interface Destination {
  /** The line above the text. */
  line: ComponentChildren;
  /** Returns the conversation, or shows the missing part and returns undefined. */
  find: () => Conversation | undefined;
  onSent: (conversation: Conversation) => void;
}

/** The state of a conversation's composer, and its actions. */
function useComposer(conversation: Conversation, destination: Destination | undefined) {
  const state: ComposeState = {
    text: useSignal(withoutLost(readDraft(conversation))),
    completions: useSignal<Completions | undefined>(undefined),
    chosen: useSignal(0),
  };
  const rendered = useSignal<string | undefined>(undefined);
  const field = useRef<HTMLTextAreaElement>(null);
  const uploads = useUploads(conversation, field);
  const { text, completions, chosen } = state;
  const length = [...text.value].length;
  const left = useServer(({ max_message_length }) => max_message_length) - length;
  const change = (value: string, cursor: number): void => {
    text.value = value;
    keepDraft(conversation, value);
    completions.value = complete(value, cursor, conversation);
    chosen.value = 0;
    if (value.trim() !== '') noteTyping(conversation);
  };
  const clear = (): void => {
    text.value = '';
    rendered.value = undefined;
    completions.value = undefined;
    endDraft(conversation);
    stopTyping();
    field.current?.focus();
  };
  /** The text, if it can be sent. */
  const ready = (): string | undefined => {
    const content = text.value.trimEnd();
    if (left < 0) showNotice(t('compose.shortenYourMessage', { count: -left }));
    else if (content.trim() !== '') return content;
    return undefined;
  };
  const submit = (): void => {
    if (uploads.isBusy.value) {
      if (destination) showNotice(t('compose.waitForUploadsToFinish'));
      else uploads.sendAfter();
      return;
    }
    const content = ready();
    const to = content === undefined || !destination ? conversation : destination.find();
    if (content === undefined || to === undefined) return;
    send(to, content);
    clear();
    destination?.onSent(to);
  };
  const later = (): void => {
    if (uploads.isBusy.value) showNotice(t('compose.waitForUploadsToFinish'));
    const content = uploads.isBusy.value ? undefined : ready();
    const to = content === undefined || !destination ? conversation : destination.find();
    if (content !== undefined && to !== undefined) openLater(to, content, clear);
  };
  const look = async (): Promise<void> => {
    if (rendered.value !== undefined) {
      rendered.value = undefined;
      requestAnimationFrame(() => field.current?.focus());
    } else if (text.value.trim() === '') showNotice(t('compose.writeSomethingToPreviewIt'));
    else
      rendered.value = await preview(text.value).catch((reason) => {
        showNotice(explain(reason));
        return undefined;
      });
  };
  useOtherWriters(conversation, text);
  useHost(conversation, field, text, change, submit, uploads.take);
  const snippets = (): void =>
    openSnippets(text.value, (content) => {
      if (field.current) writeInto(field.current, content);
    });
  const actions: ComposeActions = { submit, look: () => void look(), openSnippets: snippets };
  return { state, text, rendered, field, uploads, left, change, submit, later, actions };
}

/** Takes in what another device or another tab made of the draft. */
function useOtherWriters(conversation: Conversation, text: Signal<string>): void {
  const kept = useServer(({ drafts }) => drafts);
  const key = keyOfNarrow(narrowOf(conversation));
  useEffect(() => {
    const outside = readOutside(conversation);
    // The service trims stored texts; the space behind the cursor stays.
    if (outside !== undefined && outside.trim() !== text.value.trim()) text.value = outside;
  }, [kept, localDraftsChange.value, key]);
  const elsewhere = readOtherTab(conversation);
  useEffect(() => {
    if (elsewhere) text.value = elsewhere.content;
  }, [elsewhere]);
}

/** Lets other parts of the page write into this composer while it is open. */
function useHost(
  conversation: Conversation,
  field: RefObject<HTMLTextAreaElement | null>,
  text: Signal<string>,
  change: (value: string, cursor: number) => void,
  submit: () => void,
  take: (files: File[]) => void,
): void {
  const now = useRef(submit);
  now.current = submit;
  const takeNow = useRef(take);
  takeNow.current = take;
  useLayoutEffect(
    () =>
      holdHost(conversation, {
        add: (content) => {
          const value = text.peek();
          const separator = value === '' || value.endsWith('\n') ? '' : '\n';
          if (field.current) writeInto(field.current, separator + content, value.length);
          else change(value + separator + content, 0);
        },
        insert: (content) => {
          if (field.current) writeInto(field.current, content);
        },
        replace: (before, after) => {
          if (field.current) replaceIn(field.current, before, after);
        },
        submit: () => now.current(),
        take: (files) => takeNow.current(files),
      }),
    [keyOfNarrow(narrowOf(conversation))],
  );
}

type Composer = ReturnType<typeof useComposer>;

function openLater(conversation: Conversation, content: string, clear: () => void): void {
  openDialog(t('compose.scheduleMessage'), () => (
    <TimeChoice
      label={t('compose.schedule')}
      choose={async (atSeconds) => {
        if (!(await schedule(conversation, content, atSeconds))) return;
        closeDialog();
        clear();
        showNotice(t('actions.theMessageIsScheduled', { time: momentOf(atSeconds) }));
      }}
    />
  ));
}

/** Writes a message to a conversation: keeps a draft, completes, uploads, sends now or later. */
export function Compose({
  conversation,
  destination,
}: {
  conversation: Conversation;
  destination?: Destination;
}) {
  const composer = useComposer(conversation, destination);
  const { text, rendered, field, uploads, submit } = composer;
  const enterSends = useServer(({ user_settings }) => user_settings.enter_sends);
  const obstacle = obstacleOf(conversation);
  const isFormatting = useSignal(readKept(FORMATTING) === 'on');
  const isOfChannel = conversation.type === 'stream' && destination === undefined;
  const color = isOfChannel ? ownChannels.value.get(conversation.channelId)?.color : undefined;
  useEffect(() => stopTyping, []);
  useLayoutEffect(() => grow(field.current), [text.value, rendered.value]);
  if (obstacle)
    return (
      <div class="dock">
        <div class="compose-closed">
          <Icon name="lock" />
          {obstacle}
        </div>
      </div>
    );
  return (
    <div class="dock">
      <Typing conversation={conversation} />
      <GuestWarning conversation={conversation} />
      <form
        class={isOfChannel ? 'compose of-channel' : 'compose'}
        style={{ '--c': color }}
        aria-label={t('common.message')}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        onDragOver={(event) => event.preventDefault()}
        onDrop={uploads.onDrop}
      >
        {destination?.line}
        <CompletionList state={composer.state} field={field} />
        {rendered.value !== undefined && <Preview html={rendered.value} look={composer.actions.look} />}
        <TextField
          composer={composer}
          label={
            destination
              ? t('compose.writeAMessage')
              : t('compose.messageConversation', { conversation: whereTo(conversation) })
          }
          enterSends={enterSends}
        />
        {uploads.bars.value.map(({ id, name, part, isPaused, cancel }) => (
          <div class="upload" key={id}>
            <label>
              {name}
              <progress value={part} max={1} />
            </label>
            {isPaused && <span role="status">{t('compose.waitingForAConnection')}</span>}
            <IconButton icon="x" label={t('compose.cancelUploadOfName', { name })} onClick={cancel} />
          </div>
        ))}
        {uploads.isWaiting.value && (
          <p class="upload-note" role="status">
            {t('compose.yourMessageWillBeSent')}
          </p>
        )}
        {isFormatting.value && <FormatBar field={field} conversation={conversation} />}
        <Foot
          composer={composer}
          conversation={conversation}
          enterSends={enterSends}
          isFormatting={isFormatting}
        />
      </form>
    </div>
  );
}

function TextField({
  composer,
  label,
  enterSends,
}: {
  composer: Composer;
  label: string;
  enterSends: boolean;
}) {
  const { state, text, rendered, field, uploads, change, actions } = composer;
  return (
    <textarea
      ref={field}
      id="compose-text"
      class="compose-text"
      dir="auto"
      hidden={rendered.value !== undefined}
      rows={1}
      value={text.value}
      placeholder={label}
      aria-label={label}
      aria-autocomplete="list"
      aria-controls={state.completions.value ? 'completions' : undefined}
      enterkeyhint={enterSends ? 'send' : 'enter'}
      onInput={(event) => change(event.currentTarget.value, event.currentTarget.selectionStart)}
      onPaste={uploads.onPaste}
      onBlur={() => {
        state.completions.value = undefined;
      }}
      onKeyDown={(event) => onComposeKey(event, state, actions)}
    />
  );
}

const TOLD_FROM = 900;
/** Whether the bar of formatting is open on this device. */
const FORMATTING = 'formatting';

function Foot({
  composer,
  conversation,
  enterSends,
  isFormatting,
}: {
  composer: Composer;
  conversation: Conversation;
  enterSends: boolean;
  isFormatting: Signal<boolean>;
}) {
  const { text, rendered, field, uploads, left, later, actions } = composer;
  return (
    <div class="compose-foot">
      <IconButton icon="paperclip" label={t('compose.attachFiles')} onClick={uploads.choose} />
      <CallButton conversation={conversation} />
      <GifButton field={field} />
      <IconButton
        icon="face-slightly-smiling"
        label={t('compose.insertEmoji')}
        onClick={(event) =>
          pickEmojiText(event.currentTarget, (emoji) => {
            if (field.current) writeInto(field.current, `${emoji} `);
          })
        }
      />
      <IconButton
        icon="a-large-small"
        label={t('compose.formatting')}
        isPressed={isFormatting.value}
        onClick={() => {
          isFormatting.value = !isFormatting.value;
          keep(FORMATTING, isFormatting.value ? 'on' : 'off');
        }}
      />
      <IconButton
        icon="eye"
        label={t('compose.preview')}
        isPressed={rendered.value !== undefined}
        onClick={actions.look}
      />
      <IconButton icon="text-quote" label={t('compose.snippets')} onClick={actions.openSnippets} />
      <IconButton icon="calendar-clock" label={t('compose.scheduleMessage')} onClick={later} />
      {left < TOLD_FROM && (
        <span class={left < 0 ? 'left over' : 'left'} role="status">
          {left}
        </span>
      )}
      <button
        type="button"
        class="compose-hint"
        title={enterSends ? t('compose.shiftEnterStartsANew') : t('compose.enterStartsANewLine')}
        aria-label={enterSends ? t('compose.enterSendsMakeItStart') : t('compose.ctrlEnterSendsMakeEnter')}
        onClick={() =>
          void attempt(t('compose.couldntChangeTheSetting'), () => saveSettings({ enter_sends: !enterSends }))
        }
      >
        {enterSends ? t('compose.enterSends') : t('compose.keyEnterSends', { key: isMac() ? '⌘' : 'Ctrl' })}
      </button>
      <button type="submit" class="send" disabled={text.value.trim() === ''} aria-label={t('compose.send')}>
        <Icon name="send-horizontal" />
      </button>
    </div>
  );
}

/** Why nothing can be written here; undefined if it can. */
function obstacleOf(conversation: Conversation): string | undefined {
  if (conversation.type !== 'stream') return undefined;
  const channel = ownChannels.value.get(conversation.channelId);
  if (channel?.is_archived) return t('compose.thisChannelIsArchivedIts');
  const known = server.value.never_subscribed.concat(server.value.unsubscribed);
  const other = known.find(({ stream_id }) => stream_id === conversation.channelId);
  if (!channel && other?.invite_only) return t('compose.onlySubscribersWriteHere');
  if (!channel && !other) return t('compose.thisChannelDoesNotExist');
  return undefined;
}

/** As high as its text, up to half of the window. */
function grow(field: HTMLTextAreaElement | null): void {
  if (!field) return;
  field.style.height = 'auto';
  field.style.height = `${Math.min(field.scrollHeight, innerHeight / 2)}px`;
}
