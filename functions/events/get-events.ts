import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, text, withDefault } from '#shared/api/parameters.ts';
import { BadEventQueueId, BadRequest, RateLimitHit } from '#shared/domain/errors.ts';
import { pollQueue } from '#shared/queues/poll.ts';
import { getCallersQueue } from '#shared/queues/queue.ts';

/** The events of a queue after the last one that the client has; waits when there are none. */
export const getEvents = endpoint({
  route: 'GET /events',
  summary: 'Get events from a queue',
  allow: 'user',
  scope: 'read',
  obeysChannels: true,
  isFrequent: true,
  needs: ['useOwn'],
  params: {
    queue_id: text(z.string(), 'The queue'),
    last_event_id: json(z.int(), 'The newest event that the client has; events up to it are forgotten'),
    dont_block: withDefault(json(z.boolean(), 'Answers at once'), false),
  },
  result: z.object({
    events: z.array(z.looseObject({ id: z.int(), type: z.string() })),
    queue_id: z.string(),
  }),
  errors: [BadEventQueueId, BadRequest, RateLimitHit],
  emits: ['heartbeat'],
  uses: { table: 'write', areas: ['messages', 'drafts', 'scheduled', 'queues'] },
  timeoutSeconds: 29,
  memoryMegabytes: 128,
  holdsPolls: true,
  async handle(params, { services, caller }) {
    const queue = await getCallersQueue(services, caller, params.queue_id);
    const options = { lastEventId: params.last_event_id, blocks: !params.dont_block };
    return { events: await pollQueue(services, queue, caller, options), queue_id: queue.queueId };
  },
});

export const handler = lambda(getEvents, awsServices);
