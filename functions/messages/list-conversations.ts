import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { messageRecord } from '#shared/api/contracts/messages.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional, withDefault } from '#shared/api/parameters.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { participantsOf } from '#shared/domain/messages/recent-conversations.ts';
import { showTopic } from '#shared/domain/messages/topic.ts';
import { describeFound } from '#shared/search/found-records.ts';
import { openSearch } from '#shared/search/message-search.ts';
import { findRecentConversations } from '#shared/search/recent-conversations.ts';

const yesOrNo = (fallback: boolean, description: string) =>
  withDefault(json(z.boolean(), description), fallback);

/** The caller's conversations, the one with the newest message first. */
export const listConversations = endpoint({
  route: 'GET /conversations',
  summary: 'List conversations, newest first',
  allow: 'user',
  scope: 'read',
  obeysChannels: true,
  params: {
    before: optional(
      json(
        z.int().check(z.gte(1)),
        'Only conversations whose newest message has a smaller id: `next_before`',
      ),
    ),
    limit: withDefault(
      json(z.int().check(z.gte(1), z.lte(100)), 'How many conversations, at most 100; a page may be shorter'),
      50,
    ),
    client_gravatar: yesOrNo(true, 'The client computes Gravatar addresses itself'),
    apply_markdown: yesOrNo(true, 'Whether the content is HTML or its Markdown source'),
    allow_empty_topic_name: yesOrNo(false, 'The client knows that a topic may be empty'),
  },
  result: z.object({
    conversations: z.array(
      z.object({
        type: z.enum(['stream', 'private']),
        /** Of topics of subscribed channels. */
        stream_id: z.optional(z.int()),
        topic: z.optional(z.string()),
        /** Of direct conversations: all other participants. */
        user_ids: z.optional(z.array(z.int())),
        /** Up to five recent senders, the most recent first. */
        participants: z.array(z.int()),
        /** Whether the caller is a recent sender. */
        is_participant: z.boolean(),
        last_message: messageRecord,
      }),
    ),
    /** The `before` of the next page; null at the end. */
    next_before: z.nullable(z.int()),
  }),
  errors: [BadRequest],
  emits: [],
  uses: { table: 'read', areas: ['messages'] },
  async handle({ before, limit, ...params }, { services, caller }) {
    // Messages of subscribed channels count even if the caller never received them.
    const search = { ...(await openSearch(services.table, caller, [])), withHistory: true };
    const page = await findRecentConversations(services, search, { before, limit });
    const records = await describeFound(
      page.conversations.map(({ found }) => found),
      search,
      {
        applyMarkdown: params.apply_markdown,
        clientGravatar: params.client_gravatar,
        allowsEmptyTopic: params.allow_empty_topic_name,
      },
    );
    const conversations = page.conversations.map((conversation, n) => ({
      ...placeOf(conversation.found.message, caller.userId, params.allow_empty_topic_name),
      participants: participantsOf(conversation, conversation.found.message.senderId),
      is_participant: conversation.isParticipant || conversation.found.message.senderId === caller.userId,
      last_message: records[n] as (typeof records)[number],
    }));
    return { conversations, next_before: page.nextBefore ?? null };
  },
});

export const handler = lambda(listConversations, awsServices);

const placeOf = (message: Message, callerId: number, allowsEmptyTopic: boolean) =>
  message.kind === 'channel'
    ? {
        type: 'stream' as const,
        stream_id: message.channelId,
        topic: showTopic(message.topic, allowsEmptyTopic),
      }
    : {
        type: 'private' as const,
        user_ids: message.recipients.map(({ id }) => id).filter((id) => id !== callerId),
      };
