import * as z from 'zod/mini';
import { cancelScheduledMessage } from '#shared/actions/scheduled-messages/cancel-scheduled-message.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { NotFound } from '#shared/domain/errors.ts';
import { getReminder } from '#shared/store/scheduled-messages.ts';

/** Deletes a pending reminder. */
export const deleteReminder = endpoint({
  route: 'DELETE /reminders/{reminder_id}',
  summary: 'Delete a reminder',
  allow: 'user',
  scope: 'send',
  needs: ['useOwn'],
  params: { reminder_id: json(z.int(), 'The reminder') },
  result: nothing,
  errors: [NotFound],
  emits: ['reminders/remove'],
  uses: { table: 'write', areas: ['scheduled'], scheduler: true },
  async handle(params, { services, caller }) {
    const reminder = await getReminder(services.table, caller.userId, params.reminder_id);
    await cancelScheduledMessage(services, reminder);
    return {};
  },
});

export const handler = lambda(deleteReminder, awsServices);
