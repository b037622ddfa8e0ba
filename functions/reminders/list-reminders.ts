import * as z from 'zod/mini';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { reminderRecord } from '#shared/api/schemas.ts';
import { toReminderRecord } from '#shared/domain/scheduled-messages/scheduled-message.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import { listScheduledOf } from '#shared/store/scheduled-messages.ts';

/** The caller's pending reminders, by time. */
export const listReminders = endpoint({
  route: 'GET /reminders',
  summary: 'List reminders',
  allow: 'user',
  scope: 'read',
  params: {},
  result: z.object({ reminders: z.array(reminderRecord) }),
  errors: [],
  emits: [],
  uses: { table: 'read', areas: ['scheduled'] },
  async handle(_params, { services, caller }) {
    const { reminders } = await listScheduledOf(services.table, caller.userId);
    return { reminders: reminders.map(toReminderRecord) };
  },
});

export const handler = lambda(listReminders, awsServices);
