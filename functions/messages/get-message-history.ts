import * as z from 'zod/mini';
import { getReadableMessage } from '#shared/actions/messages/readable-message.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, withDefault } from '#shared/api/parameters.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { type MessageState, statesOf } from '#shared/domain/messages/editing/history.ts';
import { htmlDifference } from '#shared/domain/messages/editing/html-difference.ts';
import { showTopic } from '#shared/domain/messages/topic.ts';
import { listHistories } from '#shared/store/messages/message-history.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';

const state = z.object({
  topic: z.string(),
  content: z.string(),
  rendered_content: z.string(),
  timestamp: z.int(),
  user_id: z.int(),
  prev_content: z.optional(z.string()),
  prev_rendered_content: z.optional(z.string()),
  content_html_diff: z.optional(z.string()),
  prev_topic: z.optional(z.string()),
  prev_stream: z.optional(z.int()),
  stream: z.optional(z.int()),
});

/** The states of a message after each of its changes, oldest first; the first one is as sent. */
export const getMessageHistory = endpoint({
  route: 'GET /messages/{message_id}/history',
  summary: "Get a message's edit history",
  allow: 'user',
  scope: 'read',
  obeysChannels: true,
  needs: ['readMessages'],
  params: {
    message_id: json(z.int(), 'The message'),
    allow_empty_topic_name: withDefault(
      json(z.boolean(), 'The client knows that a topic may be empty'),
      false,
    ),
  },
  result: z.object({ message_history: z.array(state) }),
  errors: [BadRequest],
  emits: [],
  uses: { table: 'read', areas: ['messages'] },
  async handle(params, { services, caller }) {
    const { table } = services;
    const { message } = await getReadableMessage(services, caller, params.message_id);
    const { settings } = await getOrganization(table);
    const policy = settings.message_edit_history_visibility_policy;
    if (policy === 'none') throw new BadRequest('Message edit history is disabled in this organization');
    const histories = await listHistories(table, caller, [message], policy);
    const states = statesOf(message, histories.get(message.messageId) ?? []);
    const show = (topic: string): string => showTopic(topic, params.allow_empty_topic_name);
    return { message_history: states.map((version) => toRecord(version, show)) };
  },
});

export const handler = lambda(getMessageHistory, awsServices);

function toRecord(
  { userId, atSeconds, content, html, topic, change }: MessageState,
  show: (topic: string) => string,
) {
  return {
    topic: show(topic),
    content,
    rendered_content: html,
    timestamp: atSeconds,
    user_id: userId,
    ...(change?.content && {
      prev_content: change.content.before,
      prev_rendered_content: change.content.htmlBefore,
      content_html_diff: htmlDifference(change.content.before, content),
    }),
    ...(change?.topic && { prev_topic: show(change.topic.before) }),
    ...(change?.channel && { prev_stream: change.channel.before, stream: change.channel.after }),
  };
}
