import * as z from 'zod/mini';
import { getReadableMessage } from '#shared/actions/messages/readable-message.ts';
import { scheduleMessage } from '#shared/actions/scheduled-messages/schedule-message.ts';
import { textsFor } from '#shared/actions/texts/texts-for.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, maxLength, text, withDefault } from '#shared/api/parameters.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { asShown } from '#shared/domain/messages/access.ts';
import { checkContent } from '#shared/domain/messages/compose.ts';
import { requireFuture } from '#shared/domain/scheduled-messages/changes.ts';
import { describeReminder, MAX_NOTE_LENGTH } from '#shared/domain/scheduled-messages/reminder.ts';
import type { Reminder } from '#shared/domain/scheduled-messages/scheduled-message.ts';
import { loadKnown } from '#shared/store/messages/references.ts';
import { renderContent } from '#shared/store/messages/rendering.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { asShownToCaller } from '#shared/store/users/identities.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';

/** Schedules a message of the notification bot that reminds the caller of a message. */
export const createReminder = endpoint({
  route: 'POST /reminders',
  summary: 'Create a reminder',
  allow: 'user',
  scope: 'send',
  creates: true,
  needs: ['readMessages'],
  params: {
    message_id: json(z.int(), 'The message'),
    scheduled_delivery_timestamp: json(z.int(), 'When to remind the caller of it, in UNIX seconds'),
    note: withDefault(text(z.string().check(maxLength(MAX_NOTE_LENGTH)), 'A note to show with it'), ''),
  },
  result: z.object({ reminder_id: z.int() }),
  errors: [BadRequest],
  emits: ['reminders/add'],
  uses: { table: 'write', areas: ['messages', 'scheduled', 'uploads'], scheduler: true },
  async handle(params, { services, caller, client, retry }) {
    const { table } = services;
    requireFuture(params.scheduled_delivery_timestamp, services.clock.nowMs());
    const readable = await getReadableMessage(services, caller, params.message_id);
    const shown = asShown(readable.message, readable.view);
    const [message = shown] = await asShownToCaller(table, caller, [shown]);
    const organization = await getOrganization(table);
    const note = params.note.trim();
    const content = checkContent(
      describeReminder(organization, message, note, await textsFor(services, caller.userId)),
    );
    const reminder: Reminder = {
      scheduledMessageId: await table.increment(organizationKeys.counter('scheduled-message'), 'id'),
      userId: caller.userId,
      target: { kind: 'direct', userIds: [caller.userId] },
      content,
      html: (await renderContent(content, await loadKnown(table, caller, content))).html,
      client,
      deliverAtSeconds: params.scheduled_delivery_timestamp,
      isReadBySender: false,
      isFailed: false,
      reminderOf: message.messageId,
      note,
      revision: 1,
    };
    const answer = { reminder_id: reminder.scheduledMessageId };
    await scheduleMessage(services, reminder, answer, retry);
    return answer;
  },
});

export const handler = lambda(createReminder, awsServices);
