import * as z from 'zod/mini';
import { BadRequest } from '#shared/domain/errors.ts';
import { resolvedName, unresolvedName } from '#shared/domain/messages/topic.ts';
import { listMessagesFor } from './records.ts';
import {
  type Agent,
  type AnyTool,
  asReader,
  call,
  channelField,
  described,
  findChannelId,
  findPlace,
  narrowTo,
  placeFields,
  tool,
  topicField,
} from './tool.ts';

const MAX_MARKED = 1000;

/** The newest message of a topic, by which the whole topic is moved. @throws BadRequest for an empty topic */
async function findNewestId(agent: Agent, channelId: number, topic: string): Promise<number> {
  const narrow = narrowTo({ channelId, topic });
  const { messages } = await listMessagesFor(asReader(agent), {
    narrow,
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
  });
  const [newest] = messages;
  if (!newest) throw new BadRequest(`There are no messages in the topic '${topic}'.`);
  return newest.id;
}

const markRead = tool({
  name: 'mark_read',
  title: 'Mark as read',
  description: 'Marks messages, or a whole conversation, as read by the person.',
  scope: 'organize',
  isIdempotent: true,
  input: z.object({
    ids: z.optional(described(z.array(z.int()).check(z.maxLength(MAX_MARKED)), 'The messages')),
    ...placeFields,
  }),
  async run({ ids, ...target }, agent) {
    if (ids) {
      const { updateMessageFlags } = await import('../../messages/update-message-flags.ts');
      await call(agent, updateMessageFlags, { messages: ids, op: 'add', flag: 'read' });
      return { fields: { marked: ids.length } };
    }
    const narrow = narrowTo(await findPlace(agent, target));
    const operation = await import('../../messages/update-message-flags-for-narrow.ts');
    const params = {
      narrow,
      anchor: 'newest',
      num_before: MAX_MARKED,
      num_after: 0,
      op: 'add',
      flag: 'read',
    };
    const { updated_count } = await call(agent, operation.updateMessageFlagsForNarrow, params);
    return { fields: { marked: updated_count } };
  },
});

const moveTopic = tool({
  name: 'move_topic',
  title: 'Move a topic',
  description: 'Renames a topic, or moves it with all of its messages to another channel.',
  scope: 'organize',
  isDestructive: true,
  input: z.object({
    channel: channelField,
    topic: topicField,
    to_topic: z.optional(described(z.string(), 'The new name; the same if absent')),
    to_channel: z.optional(channelField),
  }),
  async run({ channel, topic, to_topic, to_channel }, agent) {
    const channelId = await findChannelId(agent, channel);
    const toChannelId = to_channel === undefined ? channelId : await findChannelId(agent, to_channel);
    await moveWhole(agent, { channelId, topic }, { channelId: toChannelId, topic: to_topic ?? topic });
    return { fields: { channel_id: toChannelId, topic: to_topic ?? topic } };
  },
});

const resolveTopic = tool({
  name: 'resolve_topic',
  title: 'Resolve a topic',
  description: 'Marks a topic as resolved, or as unresolved again.',
  scope: 'organize',
  isIdempotent: true,
  input: z.object({
    channel: channelField,
    topic: topicField,
    resolved: z._default(described(z.boolean(), 'False to mark it as unresolved'), true),
  }),
  async run({ channel, topic, resolved }, agent) {
    const channelId = await findChannelId(agent, channel);
    const name = resolved ? resolvedName(topic) : unresolvedName(topic);
    if (name !== topic) await moveWhole(agent, { channelId, topic }, { channelId, topic: name });
    return { fields: { channel_id: channelId, topic: name } };
  },
});

interface WholeTopic {
  channelId: number;
  topic: string;
}

async function moveWhole(agent: Agent, from: WholeTopic, to: WholeTopic): Promise<void> {
  const { editMessage } = await import('../../messages/edit-message.ts');
  await call(agent, editMessage, {
    message_id: await findNewestId(agent, from.channelId, from.topic),
    propagate_mode: 'change_all',
    ...(to.topic !== from.topic && { topic: to.topic }),
    ...(to.channelId !== from.channelId && { stream_id: to.channelId }),
  });
}

const visibilities = { inherit: 0, muted: 1, unmuted: 2, followed: 3 } satisfies Record<string, number>;

const setTopicVisibility = tool({
  name: 'set_topic_visibility',
  title: 'Mute or follow a topic',
  description: 'Mutes, unmutes or follows a topic for the person, or takes that back.',
  scope: 'organize',
  isIdempotent: true,
  input: z.object({
    channel: channelField,
    topic: topicField,
    visibility: described(z.enum(['inherit', 'muted', 'unmuted', 'followed']), 'How the topic is shown'),
  }),
  async run({ channel, topic, visibility }, agent) {
    const { setTopicPolicy } = await import('../../topics/set-topic-policy.ts');
    const channelId = await findChannelId(agent, channel);
    const params = { stream_id: channelId, topic, visibility_policy: visibilities[visibility] };
    await call(agent, setTopicPolicy, params);
    return { fields: { channel_id: channelId, topic, visibility } };
  },
});

const setStatus = tool({
  name: 'set_status',
  title: 'Set the status',
  description: 'Sets the status of the person, which everyone sees; empty texts take it back.',
  scope: 'organize',
  isIdempotent: true,
  input: z.object({
    text: described(z.string(), 'A short text'),
    emoji: z.optional(described(z.string(), 'The name of an emoji, without colons')),
  }),
  async run({ text, emoji }, agent) {
    const { setOwnStatus } = await import('../../user-statuses/set-own-status.ts');
    await call(agent, setOwnStatus, { status_text: text, emoji_name: emoji });
    return { fields: { text, emoji: emoji ?? null } };
  },
});

/** Tools that put things in order. */
export const organizingTools: AnyTool[] = [markRead, moveTopic, resolveTopic, setTopicVisibility, setStatus];
