import * as z from 'zod/mini';
import { sendMessage as send } from '#shared/actions/messages/send-message.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional, text, withAlias } from '#shared/api/parameters.ts';
import { BadRequest, ChannelDoesNotExist } from '#shared/domain/errors.ts';
import { checkContent, readsOwnMessages } from '#shared/domain/messages/compose.ts';
import {
  isChannelType,
  type MessageType,
  messageTypes,
  readAddress,
} from '#shared/domain/messages/destination.ts';
import { ChannelWildcardNotAllowed, TopicWildcardNotAllowed } from '#shared/domain/messages/errors.ts';
import type { User } from '#shared/domain/users/user.ts';

/** Longer ids are not stored. */
const MAX_ECHO_LENGTH = 100;

/** Sends a message to a topic of a channel, or to people. */
export const sendMessage = endpoint({
  route: 'POST /messages',
  summary: 'Send a message',
  allow: 'user',
  scope: 'send',
  obeysChannels: true,
  isFrequent: true,
  creates: true,
  needs: ['knowChannel', 'post'],
  takesWebhooks: true,
  params: {
    type: text(z.enum(messageTypes), 'Whether the message goes to people or to a channel'),
    to: optional(text(z.string(), 'A channel by id or name, or people by ids or e-mail addresses')),
    content: text(z.string(), 'Markdown source'),
    topic: withAlias(optional(text(z.string(), 'The topic of a channel message')), 'subject'),
    queue_id: optional(text(z.string(), 'The queue whose event carries `local_message_id`')),
    local_id: optional(text(z.string(), 'The id that the client gave the message')),
    read_by_sender: optional(json(z.boolean(), 'Whether the message starts out read by its sender')),
  },
  result: z.object({
    id: z.int(),
    message_url: z.string(),
    message_link: z.string(),
    automatic_new_visibility_policy: z.optional(z.int()),
  }),
  errors: [BadRequest, ChannelDoesNotExist, ChannelWildcardNotAllowed, TopicWildcardNotAllowed],
  emits: [
    'message',
    'update_message',
    'muted_topics',
    'stream/update',
    'realm_user/add',
    'user_topic',
    'attachment/update',
    'user_status',
    'presence',
  ],
  uses: { table: 'write', areas: ['accounts', 'messages', 'drafts', 'scheduled', 'uploads'], bus: true },
  async handle(params, { services, caller, client, retry }) {
    const sending = {
      address: readAddress(params.type, params.to ?? defaultTarget(params.type, caller), params.topic),
      content: checkContent(params.content),
      client,
      isReadBySender: params.read_by_sender ?? readsOwnMessages(client),
      ...readEcho(params.queue_id, params.local_id),
    };
    if (!caller.isBot) return send(services, caller, sending, retry);
    // Only bots have owners to notify.
    const { sendAsBot } = await import('#shared/actions/integrations/send-as-bot.ts');
    return sendAsBot(services, caller, sending, retry);
  },
});

export const handler = lambda(sendMessage, awsServices);

/** Bots may have a default channel for messages. */
const defaultTarget = (type: MessageType, { bot }: User): string | undefined =>
  isChannelType(type) && bot?.sendingChannel ? String(bot.sendingChannel.channelId) : undefined;

const readEcho = (queueId: string | undefined, localId: string | undefined) =>
  queueId === undefined || localId === undefined || Math.max(queueId.length, localId.length) > MAX_ECHO_LENGTH
    ? {}
    : { echo: { queueId, localId } };
