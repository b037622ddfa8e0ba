import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { withSockets } from '#shared/adapters/sockets/aws-sockets.ts';
import { accountSubject, RequestCounter } from '#shared/api/request-limit.ts';
import { BadRequest, DeclaredError, RateLimitHit } from '#shared/domain/errors.ts';
import { acknowledgeEvents } from '#shared/queues/socket/acknowledge.ts';
import { connectionsOf } from '#shared/queues/socket/connections.ts';
import { closedText, MAX_ASKED_BYTES, PONG_TEXT } from '#shared/queues/socket/frames.ts';
import { openSocket } from '#shared/queues/socket/open.ts';
import { getQueueByToken } from '#shared/queues/socket/right.ts';
import { logLine } from '#shared/runtime/log.ts';
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
 * Handles a text of a client's socket. A failure ends the socket, and if the client is to blame, the
 * last text says why. Returns whether the client has shown the token of a queue.
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
    const isDeclared = failure instanceof DeclaredError;
    if (isDeclared) await sockets.post(connectionId, closedText(failure));
    // Of any failure, since the client would wait for an answer.
    await sockets.end(connectionId);
    if (!isDeclared) throw failure;
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
    if (Buffer.byteLength(text) <= MAX_ASKED_BYTES) return request.parse(JSON.parse(text));
  } catch {
    // What follows says it.
  }
  throw new BadRequest('Malformed text');
}

/** Forgets a connection that has ended. */
export async function forgetSocket(services: Services, connectionId: string): Promise<void> {
  const { sockets } = services;
  if (!sockets) return;
  const connections = connectionsOf(services, sockets);
  const known = await connections.find(connectionId);
  if (known) await connections.remove(known);
}

/** The gateway's record of a connection. */
interface SocketEvent {
  requestContext: {
    eventType: 'MESSAGE' | 'DISCONNECT';
    connectionId: string;
    identity?: { sourceIp?: string };
  };
  body?: string;
}

const getServices = withSockets(awsServices);
const counter = new RequestCounter();

export const handler = async ({
  requestContext,
  body = '',
}: SocketEvent): Promise<{ statusCode: number }> => {
  const { eventType, connectionId, identity } = requestContext;
  const services = getServices();
  if (eventType === 'DISCONNECT') await forgetSocket(services, connectionId);
  else await answerSocket(services, { connectionId, text: body }, counter);
  if (services.config.accessLog)
    logLine('info', 'A text of a socket', { eventType, connectionId, address: identity?.sourceIp });
  return { statusCode: 200 };
};
