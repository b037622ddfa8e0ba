import { requestAws } from '#shared/adapters/aws-request.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Posted, Sockets } from '#shared/runtime/services.ts';

export interface AwsConnectionsOptions {
  /** The address of the API with its stage, or of its emulator. */
  endpoint: string;
  region: string;
}

/** Of one attempt. */
const TIMEOUT_MS = 4_000;
/** The connection has ended, or never was one. */
const GONE = new Set([400, 410]);
/** The text is too large, or there are too many: the client polls once its connection has ended. */
const REFUSED = new Set([413, 429]);

/**
 * The connections of an API Gateway WebSocket API, by signed requests: the SDK's client would be larger than the rest of
 * the function. Throttled or unanswered requests are sent up to four times.
 */
export function createAwsConnections(options: AwsConnectionsOptions): Pick<Sockets, 'post' | 'end'> {
  return {
    post: (connectionId, text) => request(options, 'POST', connectionId, text),
    end: async (connectionId) => {
      const ended = await request(options, 'DELETE', connectionId);
      return ended === 'sent' ? 'gone' : ended;
    },
  };
}

async function request(
  { endpoint, region }: AwsConnectionsOptions,
  method: 'POST' | 'DELETE',
  connectionId: string,
  text?: string,
): Promise<Posted> {
  // The ids contain characters of Base64.
  const url = new URL(`${endpoint}/@connections/${encodeURIComponent(connectionId)}`);
  const body = text === undefined ? undefined : new TextEncoder().encode(text);
  const request = { method, timeoutMs: TIMEOUT_MS, ...(body && { body }) };
  try {
    const reply = await requestAws({ service: 'execute-api', region }, url, request);
    await reply.body?.cancel();
    return outcomeOf(reply.status);
  } catch (failure) {
    if (failure instanceof Forbidden) throw failure;
    logLine('warn', 'The gateway did not answer about a connection', describeFailure(failure));
    return 'busy';
  }
}

/** The function may not reach connections at all. */
class Forbidden extends Error {}

/** @throws Forbidden */
function outcomeOf(status: number): Posted {
  if (status < 300) return 'sent';
  if (GONE.has(status)) return 'gone';
  if (REFUSED.has(status) || status > 499) return 'busy';
  throw new Forbidden(`API Gateway refused a request about a connection with status ${status}`);
}
