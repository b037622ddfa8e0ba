import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional, text, withAlias, withDefault } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, ChannelDoesNotExist, MissingArgument } from '#shared/domain/errors.ts';
import {
  readTypingAddress,
  requireShowsTyping,
  typingChange,
  typingOps,
} from '#shared/domain/messages/typing.ts';
import { commit } from '#shared/log/commit.ts';
import { getDestination } from '#shared/store/messages/destinations.ts';
import { getUserSettings } from '#shared/store/users/user-settings.ts';

/**
 * Notifies the participants of a conversation, or the subscribers of a channel, that the caller starts or stops
 * typing.
 */
export const setTyping = endpoint({
  route: 'POST /typing',
  summary: 'Report that the caller types a message',
  allow: 'user',
  scope: 'send',
  isFrequent: true,
  needs: ['knowChannel', 'post'],
  params: {
    op: text(z.enum(typingOps), 'Whether the caller starts or stops typing'),
    type: withDefault(
      text(z.enum(['direct', 'channel', 'stream']), 'Whether the message would go to people or to a channel'),
      'direct',
    ),
    to: optional(json(z.array(z.int()), 'The ids of the people; required for direct messages')),
    stream_id: optional(json(z.int(), 'The channel; required for channel messages')),
    topic: withAlias(optional(text(z.string(), 'The topic; required for channel messages')), 'subject'),
  },
  result: nothing,
  errors: [BadRequest, ChannelDoesNotExist, MissingArgument],
  emits: ['typing/start', 'typing/stop'],
  uses: { table: 'write' },
  async handle(params, { services, caller }) {
    const address = readTypingAddress(params);
    requireShowsTyping(await getUserSettings(services.table, caller), address.kind);
    const destination = await getDestination(services.table, caller, address);
    const change = typingChange(caller, destination, params.op);
    if (change) await commit(services, change);
    return {};
  },
});

export const handler = lambda(setTyping, awsServices);
