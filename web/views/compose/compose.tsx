import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { explain } from '#web/net/api.ts';
import {
  addFiles,
  adoptFiles,
  clearFiles,
  filesOf,
  isBusy,
  moveWriting,
  sendWhenDone,
  trayOf,
} from '#web/net/attachments.ts';
import { keep, readKept } from '#web/net/device.ts';
import {
  endDraft,
  keepDraft,
  localDraftsChange,
  readDraft,
  readOtherTab,
  readOutside,
} from '#web/net/drafts.ts';
import { emojiNames, loadEmojiNames } from '#web/net/emoji.ts';
import { loadLate } from '#web/net/load-late.ts';
import { attempt } from '#web/net/message-actions.ts';
import { saveSettings } from '#web/net/own-settings.ts';
import { noteTyping, stopTyping } from '#web/net/presence.ts';
import { obstacleTo } from '#web/net/rights.ts';
import { preview, schedule, send } from '#web/net/sending.ts';
import { ownChannels, server, showNotice, useServer } from '#web/net/store.ts';
import { openDialog } from '#web/parts/dialog.tsx';
import { Icon, IconButton } from '#web/parts/icon.tsx';
import { isNarrow } from '#web/parts/narrow.ts';
import { momentOf } from '#web/parts/time.ts';
import { TimeChoice } from '#web/parts/time-choice.tsx';
import { joinFiles, messageWith, splitFiles } from '#web/state/attachments.ts';
import { type Conversation, keyOfNarrow, narrowOf } from '#web/state/narrow.ts';
import { labelOfKey } from '#web/state/shortcuts.ts';
import { t } from '#web/texts/texts.ts';
import { pickEmojiText } from '../feed/pick-emoji.tsx';
import { CallButton } from './call-button.tsx';
import { ClosedDock } from './closed-dock.tsx';
import { type Completions, complete } from './completion.ts';
import { CompletionList } from './completion-list.tsx';
import { EnterHint } from './enter-hint.tsx';
import { FormatBar } from './format-bar.tsx';
import { GifButton } from './gif-button.tsx';
import { GuestWarning } from './guest-warning.tsx';
import { holdHost, hostOf } from './hosts.ts';
import { type ComposeActions, isOnTelephone, onComposeKey } from './keys.ts';
import { Preview } from './preview.tsx';
import { writeInto } from './text.ts';
import { Tray } from './tray.tsx';
import { Typing } from './typing.tsx';
import { chooseFiles, dropWith, pasteWith } from './uploads.ts';
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

const BEGUN_EMOJI = /:[\w+-]{2,}$/;

/** The state of a conversation's composer, and its actions. */
function useComposer(conversation: Conversation, destination: Destination | undefined) {
  const state: ComposeState = {
    text: useSignal(splitFiles(readDraft(conversation)).text),
    completions: useSignal<Completions | undefined>(undefined),
    chosen: useSignal(0),
  };
  const rendered = useSignal<string | undefined>(undefined);
  const field = useRef<HTMLTextAreaElement>(null);
  const tray = trayOf(conversation);
  const { text, completions, chosen } = state;
  const longest = useServer(({ max_message_length }) => max_message_length);
  const message = (): string => messageWith(text.value.trimEnd(), filesOf(trayOf(conversation)));
  const left = longest - [...message()].length;
  const change = (value: string, cursor: number): void => {
    text.value = value;
    keepDraft(conversation, joinFiles(value, filesOf(trayOf(conversation))));
    const suggest = (): void => {
      completions.value = complete(value, cursor, conversation);
    };
    suggest();
    chosen.value = 0;
    // A word may be begun before the names of emoji are there.
    if (emojiNames.peek().size === 0 && BEGUN_EMOJI.test(value.slice(0, cursor)))
      void loadEmojiNames().then(() => {
        if (text.peek() === value) suggest();
      });
    if (value.trim() !== '') noteTyping(conversation);
  };
  const reset = (): void => {
    text.value = '';
    rendered.value = undefined;
    completions.value = undefined;
    stopTyping();
  };
  const clear = (): void => {
    reset();
    endDraft(conversation);
    clearFiles(conversation);
    field.current?.focus();
  };
  // Dialogs that are open while the topic is renamed send to its new name.
  const place = useRef(conversation);
  place.current = conversation;
  const sending = useSending(place, destination, { message, left, clear, reset });
  const look = async (): Promise<void> => {
    if (rendered.value !== undefined) {
      rendered.value = undefined;
      requestAnimationFrame(() => field.current?.focus());
    } else if (message().trim() === '') showNotice(t('compose.writeSomethingToPreviewIt'));
    else
      rendered.value = await preview(message()).catch((reason) => {
        showNotice(explain(reason));
        return undefined;
      });
  };
  useOtherWriters(conversation, text);
  useHost(conversation, field, text, change, sending.submit);
  const snippets = (): void =>
    loadLate(import('./snippets.tsx'), ({ openSnippets }) =>
      openSnippets(text.value, (content) => {
        if (field.current) writeInto(field.current, content);
      }),
    );
  const actions: ComposeActions = { submit: sending.submit, look: () => void look(), openSnippets: snippets };
  return { state, text, rendered, field, tray, left, change, actions, ...sending };
}

/** The message of a composer, as its sending uses it. */
interface Writing {
  message: () => string;
  /** The number of characters that may be added. */
  left: number;
  /** Ends the draft. */
  clear: () => void;
  /** Empties the field; the draft stays. */
  reset: () => void;
}

/** Sends now or later. */
function useSending(
  place: { readonly current: Conversation },
  destination: Destination | undefined,
  { message, left, clear, reset }: Writing,
) {
  const conversation = place.current;
  const find = (): Conversation | undefined => (destination ? destination.find() : place.current);
  /** The message, if it can be sent. */
  const ready = (): string | undefined => {
    const content = message();
    if (left < 0) showNotice(t('compose.shortenYourMessage', { count: -left }));
    else if (content.trim() !== '') return content;
    return undefined;
  };
  /** A message whose conversation is chosen while writing waits for its uploads in this conversation. */
  const sendLater = (): void => {
    const to = find();
    if (to === undefined) return;
    if (destination && !moveWriting(conversation, to)) {
      showNotice(t('compose.waitForUploadsToFinish'));
      return;
    }
    sendWhenDone(to, (place) => hostOf(place).submit());
    if (!destination) return;
    reset();
    destination.onSent(to);
  };
  const submit = (): void => {
    if (isBusy(trayOf(conversation))) {
      if (left < 0) ready();
      else sendLater();
      return;
    }
    const content = ready();
    const to = content === undefined ? undefined : find();
    if (content === undefined || to === undefined) return;
    send(to, content);
    clear();
    destination?.onSent(to);
  };
  const later = (): void => {
    const isUploading = isBusy(trayOf(conversation));
    if (isUploading) showNotice(t('compose.waitForUploadsToFinish'));
    const content = isUploading ? undefined : ready();
    if (content !== undefined && find() !== undefined) openLater(find, content, clear);
  };
  /** Sends something else than the text: a poll or a list. Returns whether it was sent. @throws Error if it is too long */
  const sendOther = (content: string): boolean => {
    const over = [...content].length - server.value.max_message_length;
    if (over > 0) throw new Error(t('compose.shortenYourMessage', { count: over }));
    const to = find();
    if (to === undefined) return false;
    send(to, content);
    destination?.onSent(to);
    return true;
  };
  return { submit, later, sendOther };
}

/** Takes in what another device or another tab made of the draft. */
function useOtherWriters(conversation: Conversation, text: Signal<string>): void {
  const kept = useServer(({ drafts }) => drafts);
  const key = keyOfNarrow(narrowOf(conversation));
  const adopt = (content: string): void => {
    const draft = splitFiles(content);
    // The service trims stored texts; the space behind the cursor stays.
    if (draft.text.trim() !== text.value.trim()) text.value = draft.text;
    adoptFiles(conversation, draft.files);
  };
  useLayoutEffect(() => adopt(readDraft(conversation)), [key]);
  useEffect(() => {
    const outside = readOutside(conversation);
    const own = joinFiles(text.value, filesOf(trayOf(conversation)));
    if (outside !== undefined && outside.trim() !== own.trim()) adopt(outside);
  }, [kept, localDraftsChange.value, key]);
  const elsewhere = readOtherTab(conversation);
  useEffect(() => {
    if (elsewhere) adopt(elsewhere.content);
  }, [elsewhere]);
}

/** Lets other parts of the page write into this composer while it is open. */
function useHost(
  conversation: Conversation,
  field: RefObject<HTMLTextAreaElement | null>,
  text: Signal<string>,
  change: (value: string, cursor: number) => void,
  submit: () => void,
): void {
  const now = useRef(submit);
  now.current = submit;
  useLayoutEffect(
    () =>
      holdHost(conversation, {
        add: (content) => {
          const more = splitFiles(content);
          adoptFiles(conversation, [...filesOf(trayOf(conversation)), ...more.files]);
          const value = text.peek();
          const separator = value === '' || value.endsWith('\n') ? '' : '\n';
          const added = more.text === '' ? '' : separator + more.text;
          if (field.current && added !== '') writeInto(field.current, added, value.length);
          else change(value + added, 0);
        },
        insert: (content) => {
          if (field.current) writeInto(field.current, content);
        },
        submit: () => now.current(),
        take: (files) => addFiles(conversation, files),
      }),
    [keyOfNarrow(narrowOf(conversation))],
  );
}

type Composer = ReturnType<typeof useComposer>;

function openLater(find: () => Conversation | undefined, content: string, clear: () => void): void {
  openDialog(t('compose.scheduleMessage'), (close) => (
    <TimeChoice
      label={t('compose.schedule')}
      choose={async (atSeconds) => {
        const to = find();
        if (!to || !(await schedule(to, content, atSeconds))) return;
        close();
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
  const { text, rendered, field, tray, submit } = composer;
  const enterSends = useServer(({ user_settings }) => user_settings.enter_sends);
  // A composer whose conversation is chosen while writing judges it when it sends.
  const obstacle = useServer(
    () => (destination ? undefined : obstacleTo(conversation)),
    [keyOfNarrow(narrowOf(conversation)), destination === undefined],
  );
  const isFormatting = useSignal(readKept(FORMATTING) === 'on');
  const isOfChannel = conversation.type === 'stream' && destination === undefined;
  const color = isOfChannel ? ownChannels.value.get(conversation.channelId)?.color : undefined;
  useEffect(() => stopTyping, []);
  useLayoutEffect(() => grow(field.current), [text.value, rendered.value]);
  if (obstacle) return <ClosedDock reason={obstacle} />;
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
        onDrop={(event) => dropWith((files) => addFiles(conversation, files), event)}
      >
        {destination?.line}
        <CompletionList state={composer.state} field={field} />
        {tray.items.length > 0 && <Tray tray={tray} />}
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
        {isFormatting.value && <FormatBar field={field} send={composer.sendOther} />}
        <Foot
          composer={composer}
          conversation={conversation}
          enterSends={enterSends}
          isFormatting={isFormatting}
        />
        <EnterHint isWriting={text.value !== ''} enterSends={enterSends} />
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
  const { state, text, rendered, field, tray, change, actions } = composer;
  return (
    <textarea
      ref={field}
      id="compose-text"
      class="compose-text"
      dir="auto"
      hidden={rendered.value !== undefined}
      rows={1}
      value={text.value}
      placeholder={isNarrow() ? t('compose.writeAMessage') : label}
      aria-label={label}
      aria-autocomplete="list"
      aria-controls={state.completions.value ? 'completions' : undefined}
      enterkeyhint={enterSends && !isOnTelephone() ? 'send' : 'enter'}
      onInput={(event) => change(event.currentTarget.value, event.currentTarget.selectionStart)}
      readOnly={tray.send !== undefined}
      onPaste={(event) => pasteWith((files) => addFiles(tray.conversation, files), event)}
      onBlur={() => {
        state.completions.value = undefined;
      }}
      onKeyDown={(event) => onComposeKey(event, state, actions)}
    />
  );
}

/** A tool that is touched leaves the focus in the text: the keyboard of the screen would go, and the box would fold. */
function keepKeyboard(event: MouseEvent): void {
  if (isOnTelephone()) event.preventDefault();
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
  const { text, rendered, field, tray, left, later, actions } = composer;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only the focus is kept
    <div class="compose-foot" onMouseDown={keepKeyboard}>
      <IconButton
        class="tool at-rest only-narrow"
        icon="plus"
        label={t('compose.addToMessage')}
        onClick={({ currentTarget }) =>
          loadLate(import('./more-tools.tsx'), ({ openTools }) =>
            openTools(currentTarget, { ...composer, conversation }),
          )
        }
      />
      <IconButton
        class="tool"
        icon="paperclip"
        label={t('compose.attachFiles')}
        onClick={() => chooseFiles(conversation)}
      />
      <CallButton conversation={conversation} />
      <GifButton field={field} />
      <IconButton
        class="tool at-rest"
        icon="face-slightly-smiling"
        label={t('compose.insertEmoji')}
        onClick={(event) =>
          pickEmojiText(event.currentTarget, (emoji) => {
            if (field.current) writeInto(field.current, `${emoji} `);
          })
        }
      />
      <IconButton
        class="tool"
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
      {!tray.send && <Hint isUploading={isBusy(tray)} enterSends={enterSends} />}
      <SendButton
        isEmpty={text.value.trim() === '' && tray.items.every(({ status }) => status === 'refused')}
        isWaiting={tray.send !== undefined}
      />
    </div>
  );
}

/** The key that sends, or when the message can be sent. */
function Hint({ isUploading, enterSends }: { isUploading: boolean; enterSends: boolean }) {
  if (isUploading) return <span class="compose-hint">{t('compose.sendsWhenUploadsFinish')}</span>;
  return (
    <button
      type="button"
      class="compose-hint"
      title={
        enterSends
          ? t('compose.shiftEnterStartsANew', { key: labelOfKey('Shift+Enter') })
          : t('compose.enterStartsANewLine')
      }
      aria-label={
        enterSends
          ? t('compose.enterSendsMakeItStart')
          : t('compose.ctrlEnterSendsMakeEnter', { key: labelOfKey('Ctrl+Enter') })
      }
      onClick={() =>
        void attempt(t('compose.couldntChangeTheSetting'), () => saveSettings({ enter_sends: !enterSends }))
      }
    >
      {enterSends ? t('compose.enterSends') : t('compose.keyEnterSends', { key: labelOfKey('Ctrl+Enter') })}
    </button>
  );
}

function SendButton({ isEmpty, isWaiting }: { isEmpty: boolean; isWaiting: boolean }) {
  return (
    <button
      type="submit"
      class="send"
      disabled={isEmpty}
      aria-disabled={isWaiting}
      aria-label={isWaiting ? t('compose.sendsWhenUploadsFinish') : t('compose.send')}
    >
      <Icon name={isWaiting ? 'loader-circle' : 'send-horizontal'} />
    </button>
  );
}

/** As high as its text, up to half of the window. */
function grow(field: HTMLTextAreaElement | null): void {
  if (!field) return;
  field.style.height = 'auto';
  field.style.height = `${Math.min(field.scrollHeight, innerHeight / 2)}px`;
}
