import * as z from 'zod/mini';
import { getReadableMessage } from '#shared/actions/messages/readable-message.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { listReaders } from '#shared/store/reading/read-receipts.ts';
import { listSeen } from '#shared/store/visibility/visible-users.ts';

/** The users who have read a message and share that fact. */
export const listReadReceipts = endpoint({
  route: 'GET /messages/{message_id}/read_receipts',
  summary: 'List who has read a message',
  allow: 'user',
  scope: 'read',
  needs: ['readMessages'],
  params: { message_id: json(z.int(), 'The message') },
  result: z.object({ user_ids: z.array(z.int()) }),
  errors: [BadRequest],
  emits: [],
  uses: { table: 'read', areas: ['messages'] },
  async handle({ message_id }, { services, caller }) {
    const { table } = services;
    const { message } = await getReadableMessage(services, caller, message_id);
    const { settings } = await getOrganization(table);
    if (!settings.enable_read_receipts)
      throw new BadRequest('Read receipts are disabled in this organization.');
    const readers = await listSeen(table, caller, await listReaders(table, caller, message));
    return { user_ids: readers.map(({ userId }) => userId) };
  },
});

export const handler = lambda(listReadReceipts, awsServices);
