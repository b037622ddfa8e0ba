import { pushEvents } from '#shared/queues/socket/push.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import type { Services } from '#shared/runtime/services.ts';
import { withSockets } from '#shared/runtime/sockets/aws-sockets.ts';

/** What the stream of the table tells: the keys of log entries that were added. */
export interface StreamEvent {
  Records: { dynamodb: { Keys: { sk: { S: string } } } }[];
}

/** Longer than a pusher that has crashed keeps its claim. */
const PATIENCE_MS = 70_000;
const PAUSE_MS = { first: 100, longest: 2_000 };

/**
 * Pushes the entries that the stream tells of, or waits until another pusher has done it.
 * @throws Error when they were not pushed, so that the stream tells of them again
 */
export async function pushAdded(services: Services, { Records }: StreamEvent): Promise<void> {
  const { clock } = services;
  const upTo = Math.max(...Records.map(({ dynamodb }) => Number(dynamodb.Keys.sk.S)));
  const untilMs = clock.nowMs() + PATIENCE_MS;
  let pauseMs = PAUSE_MS.first;
  while (!(await pushEvents(services, upTo))) {
    if (clock.nowMs() >= untilMs) throw new Error(`The log was not pushed up to position ${upTo}`);
    await clock.sleep(pauseMs);
    pauseMs = Math.min(2 * pauseMs, PAUSE_MS.longest);
  }
}

const getServices = withSockets(awsServices);

export const handler = (event: StreamEvent): Promise<void> => pushAdded(getServices(), event);
