import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { scheduledRecord } from '#shared/api/schemas.ts';
import { toScheduledRecord } from '#shared/domain/scheduled-messages/scheduled-message.ts';
import { listScheduledOf } from '#shared/store/scheduled-messages.ts';

/** The caller's scheduled and failed messages, by delivery time. */
export const listScheduledMessages = endpoint({
  route: 'GET /scheduled_messages',
  summary: 'List scheduled messages',
  allow: 'user',
  scope: 'read',
  params: {},
  result: z.object({ scheduled_messages: z.array(scheduledRecord) }),
  errors: [],
  emits: [],
  uses: { table: 'read', areas: ['scheduled'] },
  async handle(_params, { services, caller }) {
    const { messages } = await listScheduledOf(services.table, caller.userId);
    return { scheduled_messages: messages.map(toScheduledRecord) };
  },
});

export const handler = lambda(listScheduledMessages, awsServices);
