import { getEvents } from '#functions/events/get-events.ts';
import { sendMessage } from '#functions/messages/send-message.ts';
import { deriveApiKey } from '#shared/api/auth/api-key.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import {
  BadEventQueueId,
  BadRequest,
  InvalidApiKey,
  RateLimitHit,
  UserDeactivated,
} from '#shared/domain/errors.ts';
import type { Account } from '#shared/domain/users/user.ts';
import type { Services } from '#shared/runtime/services.ts';
import { toGatewayEvent } from '#tests/conformance/requests.ts';

/** These are called as API Gateway calls them, in runs with the edge. */
const AT_THE_EDGE: unknown[] = [getEvents, sendMessage];

export const isAtTheEdge = (operation: unknown): boolean => AT_THE_EDGE.includes(operation);

/**
 * Sends a request through the whole chain of a function, with the caller's key. A failure is thrown in the client's
 * form.
 */
export async function callThroughEdge(
  services: Services,
  endpoint: AnyEndpoint,
  { userId, keyVersion, email }: Account,
  given: Record<string, unknown>,
  // biome-ignore lint/suspicious/noExplicitAny: a client sees JSON of any shape
): Promise<any> {
  const key = deriveApiKey(await services.secret(), userId, keyVersion);
  const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
  const wanted = Object.entries(given).filter(([, value]) => value !== undefined);
  const event = toGatewayEvent(endpoint, Object.fromEntries(wanted), authorization);
  const { statusCode, body } = await lambda(endpoint, () => services, [])(event);
  const { result, msg, ...fields } = JSON.parse(body);
  if (result === 'success') return fields;
  throw toFailure(statusCode, fields.code, msg, given);
}

function toFailure(status: number, code: string, msg: string, given: Record<string, unknown>): Error {
  switch (code) {
    case 'BAD_EVENT_QUEUE_ID':
      return new BadEventQueueId(String(given.queue_id));
    case 'INVALID_API_KEY':
      return new InvalidApiKey();
    case 'USER_DEACTIVATED':
      return new UserDeactivated();
    case 'RATE_LIMIT_HIT':
      return new RateLimitHit(1);
    default:
      return status < 500 ? new BadRequest(msg) : new Error(`The edge answered ${status}: ${msg}`);
  }
}
