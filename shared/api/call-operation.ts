import type * as z from 'zod/mini';
import type { Account } from '#shared/domain/users/user.ts';
import { type Retry, withFreshState } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { requireAllowed } from './auth/access.ts';
import type { Allowed, Endpoint } from './endpoint.ts';
import { type Parameters, readParameters } from './parameters.ts';

/** Who calls an operation from within another one. */
export interface OperationCaller {
  services: Services;
  caller: Account;
  /** The name of the calling program. */
  client: string;
  clientAddress: string;
  /** The caller's credential, for requests with a key. */
  secret: string;
}

/**
 * Calls an operation as the API does: with its checks of the caller and their token, of its parameters, and with
 * retries for stale state. With a key it happens once.
 * @throws the operation's declared errors, and InsufficientScope
 */
export async function callOperation<P extends Parameters, A extends Allowed, R extends z.ZodMiniType>(
  endpoint: Endpoint<P, A, R>,
  { services, caller, client, clientAddress, secret }: OperationCaller,
  input: Record<string, unknown>,
  key?: string,
): Promise<z.output<R>> {
  requireAllowed(endpoint, caller);
  const texts = { path: new Map(), query: new Map(), body: toTexts(input) };
  const params = readParameters(endpoint.params, texts);
  const handle = (retry?: Retry): Promise<z.output<R>> => {
    const context = {
      services,
      client,
      clientAddress,
      acceptsGzip: true,
      files: [],
      piece: undefined,
      retry,
    };
    return endpoint.handle(params, { ...context, caller: { ...caller } as never });
  };
  if (!endpoint.creates || key === undefined) return withFreshState(services, () => handle());
  const { answerOnce } = await import('./answer-once.ts');
  const { userId } = caller;
  const { route } = endpoint;
  const call = { services, userId, secret, route, key, params, texts, ignored: [], files: [] };
  const { fields } = await answerOnce(call, (retry) => handle(retry) as Promise<object>);
  return fields as z.output<R>;
}

/** Parameters as they go over the wire; undefined ones are absent. */
const toTexts = (input: Record<string, unknown>): Map<string, string> =>
  new Map(
    Object.entries(input)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
