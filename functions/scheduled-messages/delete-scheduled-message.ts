import * as z from 'zod/mini';
import { cancelScheduledMessage } from '#shared/actions/scheduled-messages/cancel-scheduled-message.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { NotFound } from '#shared/domain/errors.ts';
import { getScheduledMessage } from '#shared/store/scheduled-messages.ts';

/** Deletes a scheduled or failed message. */
export const deleteScheduledMessage = endpoint({
  route: 'DELETE /scheduled_messages/{scheduled_message_id}',
  summary: 'Delete a scheduled message',
  allow: 'user',
  scope: 'send',
  needs: ['useOwn'],
  params: { scheduled_message_id: json(z.int(), 'The scheduled message') },
  result: nothing,
  errors: [NotFound],
  emits: ['scheduled_messages/remove'],
  uses: { table: 'write', areas: ['scheduled'], scheduler: true },
  async handle(params, { services, caller }) {
    const scheduled = await getScheduledMessage(services.table, caller.userId, params.scheduled_message_id);
    await cancelScheduledMessage(services, scheduled);
    return {};
  },
});

export const handler = lambda(deleteScheduledMessage, awsServices);
