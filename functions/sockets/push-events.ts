import { awsServices } from '#shared/adapters/aws-services.ts';
import { withSockets } from '#shared/adapters/sockets/aws-sockets.ts';
import { CLAIM_MS } from '#shared/log/follow.ts';
import { PATIENCE_MS } from '#shared/queues/socket/may-wait.ts';
import { pushEvents, pushToPart } from '#shared/queues/socket/push.ts';
import { logLine } from '#shared/runtime/log.ts';
import type { PartWork, Services } from '#shared/runtime/services.ts';

/** The content of the table's stream: when log entries were added, and their keys. */
export interface StreamEvent {
  Records: { dynamodb: { ApproximateCreationDateTime: number; Keys: { sk: { S: string } } } }[];
}

/** Longer than a pusher that has crashed keeps its claim. */
const WAITING_MS = 2 * CLAIM_MS;
/** An alarm counts log lines that contain these words. */
export const LATE_PUSH_WORDS = 'Clients of sockets waited too long';
/** Longer than the longest gathering of entries, and half a minute. */
const TOO_LATE_MS = 90_000;
const PAUSE_MS = { first: 100, longest: 2_000 };
/** One of the two readers of the stream reports an entry at once, the other after all of this time. */
const LATE_MS = PATIENCE_MS / 2;

/**
 * Pushes the entries that the stream reports, or waits until another pusher has done it. A late wake-up also
 * pushes the events that may wait.
 * @throws Error if they were not pushed, so that the stream reports them again
 */
export async function pushAdded(services: Services, { Records }: StreamEvent): Promise<void> {
  const { clock } = services;
  const upTo = Math.max(...Records.map(({ dynamodb }) => Number(dynamodb.Keys.sk.S)));
  const oldestMs = 1000 * Math.min(...Records.map(({ dynamodb }) => dynamodb.ApproximateCreationDateTime));
  const ageMs = clock.nowMs() - oldestMs;
  if (ageMs > TOO_LATE_MS) logLine('error', LATE_PUSH_WORDS, { upTo, ageMs });
  const isForAll = ageMs >= LATE_MS;
  const untilMs = clock.nowMs() + WAITING_MS;
  let pauseMs = PAUSE_MS.first;
  while (!(await pushEvents(services, upTo, isForAll))) {
    if (clock.nowMs() >= untilMs) throw new Error(`The log was not pushed up to position ${upTo}`);
    await clock.sleep(pauseMs);
    pauseMs = Math.min(2 * pauseMs, PAUSE_MS.longest);
  }
}

const getServices = withSockets(awsServices);

/** The stream wakes the function for all connections; where these are many, it starts itself for each part of them. */
export const handler = async (event: StreamEvent | PartWork): Promise<void> => {
  if ('part' in event) await pushToPart(getServices(), event);
  else await pushAdded(getServices(), event);
};
