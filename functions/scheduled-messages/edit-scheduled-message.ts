import * as z from 'zod/mini';
import { scheduleDelivery } from '#shared/actions/scheduled-messages/schedule-delivery.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional, text, withAlias } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, ChannelDoesNotExist, NotFound } from '#shared/domain/errors.ts';
import { checkContent } from '#shared/domain/messages/compose.ts';
import { type Destination, messageTypes } from '#shared/domain/messages/destination.ts';
import { ChannelWildcardNotAllowed, TopicWildcardNotAllowed } from '#shared/domain/messages/errors.ts';
import {
  readChangedAddress,
  requireFuture,
  rescheduleChange,
  toTarget,
} from '#shared/domain/scheduled-messages/changes.ts';
import type { ScheduledMessage } from '#shared/domain/scheduled-messages/scheduled-message.ts';
import type { User } from '#shared/domain/users/user.ts';
import { commit } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getDestination } from '#shared/store/messages/destinations.ts';
import { loadKnown } from '#shared/store/messages/references.ts';
import { getScheduledMessage } from '#shared/store/scheduled-messages.ts';

/** Changes a scheduled message; a failed one is scheduled again. */
export const editScheduledMessage = endpoint({
  route: 'PATCH /scheduled_messages/{scheduled_message_id}',
  summary: 'Edit a scheduled message',
  allow: 'user',
  scope: 'send',
  needs: ['useOwn'],
  params: {
    scheduled_message_id: json(z.int(), 'The scheduled message'),
    type: optional(text(z.enum(messageTypes), 'Whether the message goes to people or to a channel')),
    to: optional(json(z.union([z.int(), z.array(z.int())]), 'A channel id, or a list of user ids')),
    content: optional(text(z.string(), 'Markdown source')),
    topic: withAlias(optional(text(z.string(), 'The topic of a channel message')), 'subject'),
    scheduled_delivery_timestamp: optional(json(z.int(), 'When to deliver it, in UNIX seconds')),
  },
  result: nothing,
  errors: [BadRequest, ChannelDoesNotExist, ChannelWildcardNotAllowed, NotFound, TopicWildcardNotAllowed],
  emits: ['scheduled_messages/update'],
  uses: { table: 'write', areas: ['messages', 'scheduled', 'uploads'], scheduler: true },
  async handle(params, { services, caller }) {
    const { scheduled_message_id: id, ...changes } = params;
    if (Object.values(changes).every((value) => value === undefined))
      throw new BadRequest('Nothing to change');
    const previous = await getScheduledMessage(services.table, caller.userId, id);
    const deliverAtSeconds = params.scheduled_delivery_timestamp ?? previous.deliverAtSeconds;
    requireFuture(deliverAtSeconds, services.clock.nowMs());
    const destination = await getDestination(
      services.table,
      caller,
      readChangedAddress(previous.target, params),
    );
    const content = params.content === undefined ? previous.content : checkContent(params.content);
    const isOnlyTime = [params.content, params.type, params.to, params.topic].every(
      (value) => value === undefined,
    );
    const next: ScheduledMessage = {
      ...previous,
      ...(!isOnlyTime && (await checkedText(services, caller, destination, content))),
      target: toTarget(destination),
      deliverAtSeconds,
      isFailed: false,
      revision: previous.revision + 1,
    };
    await commit(services, rescheduleChange(previous, next));
    await scheduleDelivery(services, next);
    return {};
  },
});

async function checkedText(services: Services, author: User, destination: Destination, content: string) {
  // Loaded on demand: the renderer is large, and many calls only change the time.
  const [known, { checkText }] = await Promise.all([
    loadKnown(services.table, author, content),
    import('#shared/actions/messages/message-text.ts'),
  ]);
  const topic = destination.kind === 'channel' ? destination : undefined;
  return checkText(services, { author, topic, content, known });
}

export const handler = lambda(editScheduledMessage, awsServices);
