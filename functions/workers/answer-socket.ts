import * as z from 'zod/mini';
import { accountSubject, type RequestCounter } from '#shared/api/request-limit.ts';
import { BadRequest, DeclaredError, RateLimitHit } from '#shared/domain/errors.ts';
import { acknowledgeEvents } from '#shared/queues/socket/acknowledge.ts';
import { closedText, PONG_TEXT } from '#shared/queues/socket/frames.ts';
import { openSocket } from '#shared/queues/socket/open.ts';
import { getQueueByToken } from '#shared/queues/socket/right.ts';
import type { Services, Sockets } from '#shared/runtime/services.ts';

/** A text that a client sent through its socket. */
export interface SocketText {
  connectionId: string;
  text: string;
}

const progress = { token: z.string(), last_event_id: z.int(), position: z.optional(z.int()) };
const request = z.discriminatedUnion('op', [
  z.object({ op: z.literal('open'), ...progress }),
  z.object({ op: z.literal('ack'), ...progress }),
  z.object({ op: z.literal('ping') }),
]);

/**
 * Does what a client asks for through its socket. An error ends the socket, and its last text says why. Returns
 * whether the client has shown the token of a queue.
 */
export async function answerSocket(
  services: Services,
  sent: SocketText,
  counter: RequestCounter,
): Promise<boolean> {
  const { sockets } = services;
  if (!sockets) return false;
  const { connectionId } = sent;
  try {
    const asked = read(sent.text);
    if (asked.op === 'ping') await sockets.post(connectionId, PONG_TEXT);
    else await act(services, sockets, counter, connectionId, asked);
    return asked.op !== 'ping';
  } catch (failure) {
    if (!(failure instanceof DeclaredError)) throw failure;
    await sockets.post(connectionId, closedText(failure));
    await sockets.end(connectionId);
    return false;
  }
}

type Asked = z.infer<typeof request>;

async function act(
  services: Services,
  sockets: Sockets,
  counter: RequestCounter,
  connectionId: string,
  { op, token, last_event_id: lastEventId, position }: Exclude<Asked, { op: 'ping' }>,
): Promise<void> {
  const queue = await getQueueByToken(services, token);
  const { retryAfterSeconds } = await counter.count(services, accountSubject(queue.userId));
  if (retryAfterSeconds !== undefined) throw new RateLimitHit(retryAfterSeconds);
  const progress = { queue, lastEventId, position };
  if (op === 'open') await openSocket(services, sockets, connectionId, progress);
  else await acknowledgeEvents(services, progress);
}

/** @throws BadRequest */
function read(text: string): Asked {
  try {
    return request.parse(JSON.parse(text));
  } catch {
    throw new BadRequest('Malformed text');
  }
}
