import { isSameReaction } from '#web/state/cache.ts';
import { isSameName } from '#web/state/names.ts';
import { channelNarrow, conversationOfMessage, narrowOf, topicNarrow } from '#web/state/narrow.ts';
import { closingFences, linkText, mentionText } from '#web/state/references.ts';
import type { Message, Reaction } from '#web/state/wire-messages.ts';
import { t } from '#web/texts/texts.ts';
import { ApiError, call, explain } from './api.ts';
import { foresee } from './reading.ts';
import { linkTo } from './router.ts';
import { cache, names, server, showNotice, topicLabel } from './store.ts';

/** Runs a call for the viewer; on failure shows why and reverts the optimistic change. */
export async function attempt(
  what: string,
  run: () => Promise<unknown>,
  takeBack?: () => void,
): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (failure) {
    takeBack?.();
    showNotice(`${what}: ${explain(failure)}`);
    return false;
  }
}

export type Emoji = Pick<Reaction, 'emoji_name' | 'emoji_code' | 'reaction_type'>;

/** Adds the viewer's reaction, or removes it if it exists. */
export async function toggleReaction(message: Message, emoji: Emoji): Promise<void> {
  const reaction: Reaction = { ...emoji, user_id: server.value.user_id };
  const isThere = message.reactions.some((other) => isSameReaction(other, reaction));
  const event = (op: string) => ({ type: 'reaction', op, message_id: message.id, ...reaction });
  const { emoji_name, emoji_code, reaction_type } = emoji;
  foresee(event(isThere ? 'remove' : 'add'));
  try {
    await call(isThere ? 'DELETE' : 'POST', `/messages/${message.id}/reactions`, {
      emoji_name,
      emoji_code,
      reaction_type,
    });
  } catch (failure) {
    // The reaction exists already, or is already removed, as the viewer wanted.
    if (failure instanceof ApiError && /REACTION_(ALREADY_EXISTS|DOES_NOT_EXIST)/.test(failure.code)) return;
    foresee(event(isThere ? 'add' : 'remove'));
    showNotice(t('actions.theReactionWasNotKept', { reason: explain(failure) }));
  }
}

export const toggleStar = (message: Message): Promise<boolean> =>
  toggleFlag(message, 'starred', t('actions.theStarWasNotKept'));

/** Hides the previews of a message from the viewer, or shows them again. */
export const togglePreviews = (message: Message): Promise<boolean> =>
  toggleFlag(message, 'hide_link_previews', t('actions.theChoiceWasNotKept'));

function toggleFlag(message: Message, flag: string, failure: string): Promise<boolean> {
  const isSet = message.flags.includes(flag);
  const op = isSet ? 'remove' : 'add';
  const event = (operation: string) => ({
    type: 'update_message_flags',
    op: operation,
    flag,
    messages: [message.id],
  });
  foresee(event(op));
  return attempt(
    failure,
    () => call('POST', '/messages/flags', { messages: [message.id], op, flag }),
    () => foresee(event(isSet ? 'add' : 'remove')),
  );
}

export const deleteMessage = (message: Message): Promise<boolean> =>
  attempt(t('actions.theMessageWasNotDeleted'), () => call('DELETE', `/messages/${message.id}`));

/** The Markdown that a message was written in. */
export async function sourceOf(messageId: number): Promise<string> {
  const reply = await call<{ message: Message }>('GET', `/messages/${messageId}`, {
    apply_markdown: false,
    allow_empty_topic_name: true,
  });
  return reply.message.content;
}

/**
 * Replaces the text of a message, unless somebody else has changed it meanwhile. Returns whether it did.
 * @throws ApiError, for the editor to show
 */
export async function editMessage(message: Message, before: string, content: string): Promise<boolean> {
  try {
    await call('PATCH', `/messages/${message.id}`, { content, ...(await proofOf(message, before)) });
    return true;
  } catch (failure) {
    if (failure instanceof Outdated) return false;
    if (failure instanceof ApiError && failure.code === 'EXPECTATION_MISMATCH') return false;
    throw failure;
  }
}

class Outdated extends Error {}

/** The digest of the text that an edit replaces. Pages without TLS cannot make it, and compare the text themselves. */
async function proofOf(message: Message, before: string): Promise<{ prev_content_sha256?: string }> {
  const { subtle } = crypto as { subtle?: SubtleCrypto };
  if (!subtle) {
    if ((await sourceOf(message.id)) !== before) throw new Outdated();
    return {};
  }
  const digest = await subtle.digest('SHA-256', new TextEncoder().encode(before));
  const bytes = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0'));
  return { prev_content_sha256: bytes.join('') };
}

export interface Move {
  topic: string;
  channelId: number;
  which: 'change_one' | 'change_later' | 'change_all';
  /** Whether the topic that the messages leave, and the one that they reach, each get a notice about the move. */
  tellsOld: boolean;
  tellsNew: boolean;
}

/** @throws ApiError, for the dialog to show */
export const moveMessages = (message: Message, move: Move): Promise<unknown> =>
  call('PATCH', `/messages/${message.id}`, {
    topic: move.topic,
    propagate_mode: move.which,
    send_notification_to_old_thread: move.tellsOld,
    send_notification_to_new_thread: move.tellsNew,
    ...(move.channelId !== message.stream_id && { stream_id: move.channelId }),
  });

const RESOLVED = '✔ ';
export const isResolved = (topic: string): boolean => topic.startsWith(RESOLVED);

/** Marks a topic as resolved, or takes the mark away. */
export function toggleResolved(messageId: number, topic: string): Promise<boolean> {
  const next = isResolved(topic) ? topic.replace(/^[✔ ]+/, '') : `${RESOLVED}${topic}`;
  return attempt(t('actions.theTopicStaysAsIt'), () =>
    call('PATCH', `/messages/${messageId}`, { topic: next, propagate_mode: 'change_all' }),
  );
}

export const setTopicPolicy = (channelId: number, topic: string, policy: number): Promise<boolean> =>
  attempt(t('actions.theTopicStaysAsIt'), () =>
    call('POST', '/user_topics', { stream_id: channelId, topic, visibility_policy: policy }),
  );

export const setChannelProperty = (channelId: number, property: string, value: unknown): Promise<boolean> =>
  attempt(t('actions.theChannelStaysAsIt'), () =>
    call('POST', '/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: channelId, property, value }],
    }),
  );

export const subscribe = (channelName: string): Promise<boolean> =>
  attempt(t('actions.notSubscribed'), () =>
    call('POST', '/users/me/subscriptions', { subscriptions: [{ name: channelName }] }),
  );

export const reportMessage = (messageId: number, type: string, description: string): Promise<unknown> =>
  call('POST', `/messages/${messageId}/report`, { report_type: type, description });

export const remindOf = (messageId: number, atSeconds: number, note: string): Promise<boolean> =>
  attempt(t('actions.noReminderWasSet'), () =>
    call('POST', '/reminders', {
      message_id: messageId,
      scheduled_delivery_timestamp: atSeconds,
      ...(note !== '' && { note }),
    }),
  );

/** The address of a message, for other programs. */
export function addressOf(message: Message): string {
  const narrow = narrowOf(conversationOfMessage(message, server.value.user_id));
  return `${location.origin}/${linkTo(narrow, message.id)}`;
}

export async function copyText(text: string, confirmation: string): Promise<void> {
  await attempt(t('actions.notCopied'), () => writeClipboard(text).then(() => showNotice(confirmation)));
}

/** @throws if the browser refuses */
export async function writeClipboard(text: string): Promise<void> {
  const { clipboard } = navigator as { clipboard?: Clipboard };
  if (clipboard) return clipboard.writeText(text);
  // A page without TLS has no clipboard, and may copy what is selected.
  const field = document.createElement('textarea');
  field.value = text;
  const before = document.activeElement;
  (before?.closest('dialog') ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!isCopied) throw new Error('The browser does not copy.');
}

/** A message as the composer quotes it, or the part of it that is selected. */
export async function quoteOf(message: Message, selected?: string): Promise<string> {
  const text = selected ?? (await sourceOf(message.id));
  // A block that the message leaves open would otherwise contain the reply.
  const source = [text, ...closingFences(text)].join('\n');
  const longest = Math.max(2, ...[...source.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const said = `[${t('actions.said')}](${addressOf(message)})`;
  const name = names.person(message.sender_id) ?? message.sender_full_name;
  const who = mentionText({ name, id: message.sender_id, isUnique: false }, true);
  return `${who} ${said}${placeOf(message)}:\n${fence}quote\n${source}\n${fence}\n`;
}

function placeOf(message: Message): string {
  if (message.type !== 'stream' || message.stream_id === undefined) return '';
  const channel = names.channel(message.stream_id) ?? '';
  const link = linkTo(topicNarrow(message.stream_id, message.subject));
  return t('actions.inPlace', { place: linkText(`#${channel} > ${topicLabel(message.subject)}`, link) });
}

/** The newest message that the client knows of a topic; needed to change the whole topic. */
export async function someMessageOf(channelId: number, topic: string): Promise<number | undefined> {
  const known = [...cache.value.byId.values()].find(
    (message) => message.stream_id === channelId && isSameName(message.subject, topic),
  );
  if (known) return known.id;
  const narrow = [...channelNarrow(channelId), ...topicNarrow(channelId, topic).slice(1)];
  const reply = await call<{ messages: Message[] }>('GET', '/messages', {
    narrow: narrow.map(({ operator, operand }) => ({
      operator,
      operand: operator === 'channel' ? channelId : operand,
    })),
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    allow_empty_topic_name: true,
  }).catch(() => ({ messages: [] }));
  return reply.messages[0]?.id;
}
