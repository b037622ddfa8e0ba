import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional } from '#shared/api/parameters.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { requireMayPostIn } from '#shared/domain/messages/destination.ts';
import { getChannelView } from '#shared/store/channels/channels.ts';
import { getBot } from '#shared/store/users/bots.ts';

/** Mail is not turned into messages here; the protocol expresses that by an empty address. */
const NO_ADDRESS = '';

/** The address for posting to the channel by mail. */
export const getChannelEmailAddress = endpoint({
  route: 'GET /streams/{stream_id}/email_address',
  summary: 'Get the email address of a channel',
  allow: 'user',
  needs: ['knowChannel', 'post'],
  params: {
    stream_id: json(z.int(), 'The channel'),
    sender_id: optional(json(z.int(), 'The account that posts the mails: the caller, or a bot of theirs')),
  },
  result: z.object({ email: z.string() }),
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: [],
  uses: { table: 'read' },
  async handle({ stream_id: channelId, sender_id: senderId }, { services: { table }, caller }) {
    requireMayPostIn(caller, await getChannelView(table, caller, channelId));
    if (senderId !== undefined && senderId !== caller.userId) await getBot(table, caller, senderId);
    return { email: NO_ADDRESS };
  },
});

export const handler = lambda(getChannelEmailAddress, awsServices);
