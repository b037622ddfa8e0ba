import { setTopicPolicy, toggleReaction, toggleStar } from '../../net/message-actions.ts';
import { mayDelete, mayEdit, mayMove } from '../../net/rights.ts';
import { openNarrow, route } from '../../net/router.ts';
import { cache, server } from '../../net/store.ts';
import {
  channelNarrow,
  conversationOf,
  conversationOfMessage,
  directNarrow,
  keyOfNarrow,
  type Narrow,
  narrowOf,
  operandOf,
} from '../../state/narrow.ts';
import { isMuted, POLICY } from '../../state/topics.ts';
import type { Message } from '../../state/wire-messages.ts';
import { putText } from '../compose/hosts.ts';
import { openHistory, openReaders, openSource } from '../feed/message-dialogs.tsx';
import {
  askToDelete,
  forward,
  mentionOf,
  openMessageMenu,
  replyTo,
  unreadFrom,
} from '../feed/message-menu.tsx';
import { openMove } from '../feed/move-form.tsx';
import { pickEmoji } from '../feed/pick-emoji.tsx';
import { editingId, selectedId, shownId, toggleCollapsed } from '../feed/selection.ts';
import { openPicturesOf } from '../feed/viewer.tsx';
import { openCard } from './person-card.tsx';

const COMBINED: Narrow = [{ operator: 'in', operand: 'home' }];

/** The narrow of the feed on the screen; undefined on other pages. */
function narrowNow(): Narrow | undefined {
  const to = route.value;
  if (to.view === 'narrow') return to.narrow;
  const home = server.value.user_settings.web_home_view;
  return to.view === 'feed' || (to.view === 'home' && home === 'all_messages') ? COMBINED : undefined;
}

function idsNow(): number[] {
  const narrow = narrowNow();
  return (narrow && cache.value.runs.get(keyOfNarrow(narrow))?.ids) ?? [];
}

function selected(): Message | undefined {
  const id = selectedId.value;
  return id !== undefined && idsNow().includes(id) ? cache.value.byId.get(id) : undefined;
}

const elementOf = (id: number): HTMLElement | null => document.querySelector(`[data-message-id="${id}"]`);

/** The channel of the feed, or of the selected message. */
export function channelHere(): number | undefined {
  const named = operandOf(narrowNow() ?? [], 'channel');
  return named === undefined ? selected()?.stream_id : Number(named);
}

/** Selects the next message, or the one before; the first press selects the newest that can be seen. */
export function step(by: 1 | -1): void {
  const ids = idsNow();
  const at = ids.indexOf(selectedId.value ?? -1);
  const seen = [...document.querySelectorAll<HTMLElement>('[data-message-id]')].findLast(
    (element) => element.getBoundingClientRect().bottom < innerHeight - 80,
  );
  const id = at < 0 ? Number(seen?.dataset.messageId ?? ids.at(-1)) : ids[at + by];
  if (id === undefined || Number.isNaN(id)) return;
  selectedId.value = id;
  requestAnimationFrame(() => {
    const element = elementOf(id);
    element?.scrollIntoView({ block: 'nearest' });
    element?.focus({ preventScroll: true });
  });
}

const conversationNarrow = (message: Message): Narrow =>
  narrowOf(conversationOfMessage(message, server.value.user_id));

const focusComposer = (): void => {
  requestAnimationFrame(() => document.getElementById('compose-text')?.focus());
};

/** Between a conversation and the whole of its channel. */
function widen(): void {
  const narrow = narrowNow() ?? [];
  const channel = operandOf(narrow, 'channel');
  const message = selected();
  if (channel !== undefined && operandOf(narrow, 'topic') !== undefined)
    openNarrow(channelNarrow(Number(channel)));
  else if (message) openNarrow(conversationNarrow(message), message.id);
}

function reply(): void {
  const message = selected() ?? cache.value.byId.get(shownId.value ?? -1);
  const isHere = conversationOf(narrowNow() ?? []) !== undefined;
  if (!isHere && message) openNarrow(conversationNarrow(message), message.id);
  // Immediately if possible: the next key belongs to the text, however soon it comes.
  if (isHere) document.getElementById('compose-text')?.focus();
  else focusComposer();
}

function editLast(): void {
  const last = idsNow()
    .map((id) => cache.value.byId.get(id))
    .findLast((message) => message?.sender_id === server.value.user_id);
  if (!last || !mayEdit(last)) return;
  selectedId.value = last.id;
  editingId.value = last.id;
}

function muteTopic(): void {
  const narrow = narrowNow() ?? [];
  const message = selected();
  const channelId = channelHere();
  const topic = operandOf(narrow, 'topic') ?? message?.subject;
  if (channelId === undefined || topic === undefined) return;
  const policy = isMuted(server.value, channelId, topic) ? POLICY.unmuted : POLICY.muted;
  void setTopicPolicy(channelId, topic, policy);
}

const onMessage = (run: (message: Message) => void) => () => {
  const message = selected();
  if (message) run(message);
};
const onElement = (run: (message: Message, element: HTMLElement) => void) =>
  onMessage((message) => {
    const element = elementOf(message.id);
    if (element) run(message, element);
  });

const THUMBS_UP = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' } as const;

/** What keys do with the selected message. */
export const messageShortcuts = {
  widen,
  context: onMessage((message) => openNarrow(conversationNarrow(message), message.id)),
  reply,
  'edit-last': editLast,
  'mute-topic': muteTopic,
  'reply-mention': onMessage((message) => {
    putText(
      conversationOf(narrowNow() ?? []) ?? conversationOfMessage(message, server.value.user_id),
      mentionOf(message.sender_id),
    );
    reply();
  }),
  'reply-direct': onMessage((message) => {
    openNarrow(directNarrow([message.sender_id]));
    focusComposer();
  }),
  quote: onMessage((message) => void replyTo(message)),
  forward: onMessage((message) => void forward(message)),
  'message-menu': onElement((message, element) => openMessageMenu(element, message, narrowNow() ?? [])),
  edit: onMessage((message) => {
    if (mayEdit(message)) editingId.value = message.id;
    else openSource(message);
  }),
  star: onMessage((message) => void toggleStar(message)),
  'thumbs-up': onMessage((message) => void toggleReaction(message, THUMBS_UP)),
  react: onElement((message, element) => pickEmoji(element, (emoji) => void toggleReaction(message, emoji))),
  'join-reaction': onMessage((message) => {
    const [first] = message.reactions;
    if (first) void toggleReaction(message, first);
  }),
  collapse: onMessage((message) => toggleCollapsed(message.id)),
  move: onMessage((message) => {
    if (mayMove(message)) openMove(message);
  }),
  sender: onElement((message, element) => openCard(element, message.sender_id)),
  unread: onMessage((message) => unreadFrom(message, narrowNow() ?? [])),
  readers: onMessage((message) => {
    if (server.value.realm_enable_read_receipts) openReaders(message);
  }),
  history: onMessage((message) => openHistory(message)),
  pictures: onElement((_, element) => openPicturesOf(element)),
  delete: onMessage((message) => {
    if (mayDelete(message)) askToDelete(message);
  }),
};
