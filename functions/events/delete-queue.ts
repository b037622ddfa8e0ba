import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadEventQueueId } from '#shared/domain/errors.ts';
import { getCallersQueue, removeQueue } from '#shared/queues/queue.ts';

/** Deletes a queue; a running poll of it ends. */
export const deleteQueue = endpoint({
  route: 'DELETE /events',
  summary: 'Delete an event queue',
  allow: 'user',
  scope: 'read',
  obeysChannels: true,
  needs: ['useOwn'],
  params: { queue_id: text(z.string(), 'The queue') },
  result: nothing,
  errors: [BadEventQueueId],
  emits: [],
  uses: { table: 'write', areas: ['queues'] },
  async handle(params, { services, caller }) {
    const queue = await getCallersQueue(services, caller, params.queue_id);
    await removeQueue(services, queue);
    return {};
  },
});

export const handler = lambda(deleteQueue, awsServices);
