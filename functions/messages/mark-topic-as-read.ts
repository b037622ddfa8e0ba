import * as z from 'zod/mini';
import { markChannelRead } from '#shared/actions/reading/mark-channel-read.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { hasContentAccess } from '#shared/domain/channels/permissions.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { isSameTopic, readTopic } from '#shared/domain/messages/topic.ts';
import { getChannelView } from '#shared/store/channels/channels.ts';
import { hasReadableTopic } from '#shared/store/topics/readable-topic.ts';

/** Marks the messages of a topic as read. */
export const markTopicAsRead = endpoint({
  route: 'POST /mark_topic_as_read',
  summary: 'Mark the messages of a topic as read',
  allow: 'user',
  scope: 'organize',
  needs: ['knowChannel'],
  params: {
    stream_id: json(z.int(), 'The channel'),
    topic_name: text(z.string(), 'The topic'),
  },
  result: nothing,
  errors: [BadRequest],
  emits: ['update_message_flags/add'],
  uses: { table: 'write', areas: ['messages'], bus: true },
  timeoutSeconds: 29,
  async handle({ stream_id: channelId, topic_name: input }, { services, caller }) {
    const { table } = services;
    const topic = readTopic(input);
    const view = await getChannelView(table, caller, channelId);
    if (!hasContentAccess(caller, view)) throw new BadRequest('Invalid channel ID');
    if (!(await hasReadableTopic(table, view, topic))) throw new BadRequest(`No such topic '${topic}'`);
    await markChannelRead(services, caller, view, (message) => isSameTopic(message.topic, topic));
    return {};
  },
});

export const handler = lambda(markTopicAsRead, awsServices);
