import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, withDefault } from '#shared/api/parameters.ts';
import { hasContentAccess } from '#shared/domain/channels/permissions.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { EMPTY_TOPIC_DISPLAY_NAME } from '#shared/domain/messages/topic.ts';
import { getChannelView } from '#shared/store/channels/channels.ts';
import { listReadableTopics } from '#shared/store/topics/readable-topic.ts';

/** The topics of a channel that the caller may read, newest message first. */
export const listTopics = endpoint({
  route: 'GET /users/me/{stream_id}/topics',
  summary: 'List the topics of a channel',
  allow: 'user',
  scope: 'read',
  obeysChannels: true,
  needs: ['knowChannel'],
  params: {
    stream_id: json(z.int(), 'The channel'),
    allow_empty_topic_name: withDefault(
      json(z.boolean(), 'The client knows that a topic may be empty'),
      false,
    ),
  },
  result: z.object({ topics: z.array(z.object({ name: z.string(), max_id: z.int() })) }),
  errors: [BadRequest],
  emits: [],
  uses: { table: 'read', areas: ['messages'] },
  async handle(params, { services: { table }, caller }) {
    const view = await getChannelView(table, caller, params.stream_id);
    if (!hasContentAccess(caller, view)) throw new BadRequest('Invalid channel ID');
    const summaries = await listReadableTopics(table, view);
    const topics = summaries
      .sort((a, b) => b.maxMessageId - a.maxMessageId)
      .map(({ topic, maxMessageId }) => ({
        name: topic === '' && !params.allow_empty_topic_name ? EMPTY_TOPIC_DISPLAY_NAME : topic,
        max_id: maxMessageId,
      }));
    return { topics };
  },
});

export const handler = lambda(listTopics, awsServices);
