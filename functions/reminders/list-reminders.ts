import * as z from 'zod/mini';
import { withPresentContents } from '#shared/actions/scheduled-messages/reminder-contents.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { reminderRecord } from '#shared/api/schemas.ts';
import { toReminderRecord } from '#shared/domain/scheduled-messages/scheduled-message.ts';
import { listScheduledOf } from '#shared/store/scheduled-messages.ts';

/** The caller's pending reminders, by time, with their messages as the caller may read them now. */
export const listReminders = endpoint({
  route: 'GET /reminders',
  summary: 'List reminders',
  allow: 'user',
  scope: 'read',
  params: {},
  result: z.object({ reminders: z.array(reminderRecord) }),
  errors: [],
  emits: [],
  uses: { table: 'read', areas: ['messages', 'scheduled', 'uploads'] },
  async handle(_params, { services, caller }) {
    const { reminders } = await listScheduledOf(services.table, caller.userId);
    const present = await withPresentContents(services, caller, reminders);
    return { reminders: present.map(toReminderRecord) };
  },
});

export const handler = lambda(listReminders, awsServices);
