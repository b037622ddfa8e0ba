import type { Pending } from '#web/state/feed/outbox.ts';
import { isSameName } from '#web/state/names.ts';
import { type Conversation, narrowOf, toWire } from '#web/state/narrow.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { ApiError, call } from './api.ts';
import { cache, server } from './store.ts';

/** Some may be deleted until a message that names them is sent. */
const MOST_NEAR = 5;

/** The newest known messages of a topic, which lead to it after a move; empty for direct conversations and new topics. */
export function listNear(conversation: Conversation): number[] {
  if (conversation.type === 'private') return [];
  const { channelId, topic } = conversation;
  return [...cache.value.byId.values()]
    .filter((message) => message.stream_id === channelId && isSameName(message.subject, topic))
    .map(({ id }) => id)
    .sort((a, b) => b - a)
    .slice(0, MOST_NEAR);
}

const fetchMessages = async (params: Record<string, unknown>): Promise<Message[]> => {
  const shape = { apply_markdown: false, allow_empty_topic_name: true, ...params };
  return (await call<{ messages: Message[] }>('GET', '/messages', shape, { tries: 1 })).messages;
};

/**
 * The conversation of a waiting message as of now. A topic was moved if none of the messages that it had when the message
 * was written is left there. Undefined if they are nowhere to be read.
 * @throws ApiError, Unreachable if the service does not say
 */
export async function locate({ conversation, nearIds = [] }: Pending): Promise<Conversation | undefined> {
  if (conversation.type === 'private' || nearIds.length === 0) return conversation;
  const newest = Math.max(...nearIds);
  try {
    const left = await fetchMessages({
      narrow: toWire(narrowOf(conversation), server.value.user_id),
      ...{ anchor: newest, num_before: 1, num_after: 0 },
    });
    if (left.some(({ id }) => id <= newest)) return conversation;
    const found = (await fetchMessages({ message_ids: nearIds })).at(-1);
    return found?.stream_id === undefined
      ? undefined
      : { type: 'stream', channelId: found.stream_id, topic: found.subject };
  } catch (failure) {
    // A channel that the viewer may no longer know.
    if (failure instanceof ApiError && failure.status === 400) return undefined;
    throw failure;
  }
}
