import * as z from 'zod/mini';
import { checkText } from '#shared/actions/messages/message-text.ts';
import { scheduleMessage } from '#shared/actions/scheduled-messages/schedule-message.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional, text, withAlias } from '#shared/api/parameters.ts';
import { BadRequest, ChannelDoesNotExist } from '#shared/domain/errors.ts';
import { checkContent, readsOwnMessages } from '#shared/domain/messages/compose.ts';
import { messageTypes } from '#shared/domain/messages/destination.ts';
import { ChannelWildcardNotAllowed, TopicWildcardNotAllowed } from '#shared/domain/messages/errors.ts';
import { readScheduledAddress, requireFuture, toTarget } from '#shared/domain/scheduled-messages/changes.ts';
import type { ScheduledMessage } from '#shared/domain/scheduled-messages/scheduled-message.ts';
import { getDestination } from '#shared/store/messages/destinations.ts';
import { loadKnown } from '#shared/store/messages/references.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';

/** Schedules a message for later delivery. */
export const createScheduledMessage = endpoint({
  route: 'POST /scheduled_messages',
  summary: 'Create a scheduled message',
  allow: 'user',
  scope: 'send',
  obeysChannels: true,
  creates: true,
  needs: ['knowChannel', 'post'],
  params: {
    type: text(z.enum(messageTypes), 'Whether the message goes to people or to a channel'),
    to: json(z.union([z.int(), z.array(z.int())]), 'A channel id, or a list of user ids'),
    content: text(z.string(), 'Markdown source'),
    topic: withAlias(optional(text(z.string(), 'The topic of a channel message')), 'subject'),
    scheduled_delivery_timestamp: json(z.int(), 'When to deliver it, in UNIX seconds'),
    read_by_sender: optional(json(z.boolean(), 'Whether the message starts out read by its sender')),
  },
  result: z.object({ scheduled_message_id: z.int() }),
  errors: [BadRequest, ChannelDoesNotExist, ChannelWildcardNotAllowed, TopicWildcardNotAllowed],
  emits: ['scheduled_messages/add'],
  uses: { table: 'write', areas: ['messages', 'scheduled', 'uploads'], scheduler: true },
  async handle(params, { services, caller, client, retry }) {
    requireFuture(params.scheduled_delivery_timestamp, services.clock.nowMs());
    const content = checkContent(params.content);
    const address = readScheduledAddress(params.type, params.to, params.topic);
    const destination = await getDestination(services.table, caller, address);
    const known = await loadKnown(services.table, caller, content);
    const topic = destination.kind === 'channel' ? destination : undefined;
    const text = await checkText(services, { author: caller, topic, content, known });
    const target = toTarget(destination);
    const isReminder = target.kind === 'direct' && target.userIds.every((id) => id === caller.userId);
    const scheduled: ScheduledMessage = {
      scheduledMessageId: await services.table.increment(organizationKeys.counter('scheduled-message'), 'id'),
      userId: caller.userId,
      target,
      ...text,
      client,
      deliverAtSeconds: params.scheduled_delivery_timestamp,
      isReadBySender: params.read_by_sender ?? (readsOwnMessages(client) && !isReminder),
      isFailed: false,
      revision: 1,
    };
    const answer = { scheduled_message_id: scheduled.scheduledMessageId };
    await scheduleMessage(services, scheduled, answer, retry);
    return answer;
  },
});

export const handler = lambda(createScheduledMessage, awsServices);
