import { isSameName } from '../names.ts';
import type { Conversation } from '../narrow.ts';
import type { Draft } from '../wire.ts';

/** A text that was begun on this device and that the service may not have yet. An empty one is a draft that ended. */
export interface LocalDraft {
  conversation: Conversation;
  content: string;
  /** When it was changed, in seconds since 1970. */
  timestamp: number;
}

const sorted = (ids: readonly number[]): string => [...ids].sort((a, b) => a - b).join();

/** Whether a draft of the service belongs to a conversation. */
export const isDraftOf = (conversation: Conversation, { type, to, topic }: Draft): boolean =>
  conversation.type === 'stream'
    ? type === 'stream' && to[0] === conversation.channelId && isSameName(topic, conversation.topic)
    : type === 'private' && sorted(to) === sorted(conversation.userIds);

/** The conversation of a draft; undefined if it names none yet. */
export function conversationOfDraft({
  type,
  to,
  topic,
}: Pick<Draft, 'type' | 'to' | 'topic'>): Conversation | undefined {
  const [first] = to;
  if (first === undefined || type === '') return undefined;
  return type === 'stream' ? { type, channelId: first, topic } : { type, userIds: to };
}

/** The draft of a conversation: the unsaved text of this device takes precedence over the service's draft. */
export const textOf = (local: LocalDraft | undefined, kept: Draft | undefined): string =>
  local?.content ?? kept?.content ?? '';

/** The end of a draft is remembered this long: the event of its last saving may come after it. */
export const END_SECONDS = 10;

/** Whether the service has this device's text, or something newer from another device. */
export function isSettled(local: LocalDraft, kept: Draft | undefined, nowSeconds: number): boolean {
  if (!kept) return local.content.trim() === '' && nowSeconds >= local.timestamp + END_SECONDS;
  return kept.content.trim() === local.content.trim() || kept.timestamp > local.timestamp;
}

export interface ListedDraft {
  key: string;
  conversation: Conversation | undefined;
  content: string;
  timestamp: number;
  /** The service's id; absent if only this device has it. */
  id?: number;
}

/** All drafts, the latest first: the service's drafts with this device's changes, and drafts of this device alone. */
export function listDrafts(kept: readonly Draft[], locals: readonly LocalDraft[]): ListedDraft[] {
  const fromService = kept.map((draft): ListedDraft => {
    const local = locals.find(({ conversation }) => isDraftOf(conversation, draft));
    const { content, timestamp } = local ?? draft;
    return { key: `${draft.id}`, conversation: conversationOfDraft(draft), content, timestamp, id: draft.id };
  });
  const alone = locals
    .filter(({ conversation }) => !kept.some((draft) => isDraftOf(conversation, draft)))
    .map((local): ListedDraft => ({ key: JSON.stringify(local.conversation), ...local }));
  return [...fromService, ...alone]
    .filter(({ content }) => content.trim() !== '')
    .sort((a, b) => b.timestamp - a.timestamp);
}
