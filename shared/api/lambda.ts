import middy from '@middy/core';
import { BadRequest, DeclaredError, RateLimitHit, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { type Account, botTypes, isAdministrator } from '#shared/domain/users/user.ts';
import { withFreshState } from '#shared/log/commit.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';
import { Throttled } from '#shared/table/table.ts';
import { authenticate } from './authenticate.ts';
import type { Allowed, AnyEndpoint } from './endpoint.ts';
import { failure, internalError, success } from './envelope.ts';
import { clientName, decodeTexts, type HttpEvent, type HttpReply } from './http.ts';
import { ignoredParameters, type ParameterTexts, readParameters } from './parameters.ts';

/** What the chain has found out about a request so far; middlewares add to it, the handler uses it. */
interface Exchange {
  http: HttpEvent;
  services: Services;
  caller?: Account | undefined;
  texts: ParameterTexts;
}

interface Request {
  event: unknown;
  response: unknown;
  error: Error | null | undefined;
}

export type HttpHandler = (event: HttpEvent, context?: object) => Promise<HttpReply>;

const EMPTY: ParameterTexts = { path: new Map(), body: new Map(), query: new Map() };
const THROTTLED_RETRY_SECONDS = 1;

/**
 * The one chain between API Gateway and an endpoint: authenticate, decode, check the role, read the parameters,
 * handle, wrap. Every way out of it is an answer in the protocol's envelope.
 */
export function lambda(endpoint: AnyEndpoint, getServices: () => Services): HttpHandler {
  const open = (request: Request): void => {
    request.event = { http: request.event, services: getServices(), texts: EMPTY } as Exchange;
  };
  const identify = async ({ event }: Request): Promise<void> => {
    const exchange = event as Exchange;
    exchange.caller = await findCaller(endpoint.allow, exchange);
    requireWebhookTaken(endpoint, exchange.caller);
  };
  const decode = async ({ event }: Request): Promise<void> => {
    const exchange = event as Exchange;
    exchange.texts = await decodeTexts(exchange.http);
  };
  const chain = middy()
    .use({ before: open, onError: (request: Request) => answerFailure(endpoint, request) })
    .use({ before: identify })
    .use({ before: decode })
    .handler((exchange: unknown) => answer(endpoint, exchange as Exchange));
  return chain as unknown as HttpHandler;
}

async function answer(
  endpoint: AnyEndpoint,
  { http, services, caller, texts }: Exchange,
): Promise<HttpReply> {
  const params = readParameters(endpoint.params, texts);
  const context = {
    services,
    caller,
    client: clientName(http, texts),
    clientAddress: http.requestContext.http.sourceIp,
  };
  // What one attempt learned of the caller's groups is not known to the next one.
  const fields = await withFreshState(services, () =>
    endpoint.handle(params, { ...context, caller: caller && { ...caller } }),
  );
  return success(fields, ignoredParameters(endpoint.params, texts));
}

async function findCaller(allowed: Allowed, { http, services }: Exchange): Promise<Account | undefined> {
  if (allowed === 'anyone') return undefined;
  const caller = await authenticate(http.headers.authorization, services);
  requireRole(allowed, caller);
  return caller;
}

/** @throws BadRequest for bots that may only send messages, unless the endpoint is for them as well */
function requireWebhookTaken({ takesWebhooks }: AnyEndpoint, caller: Account | undefined): void {
  if (caller?.bot?.type === botTypes.incomingWebhook && !takesWebhooks)
    throw new BadRequest('This API is not available to incoming webhook bots.');
}

function requireRole(allowed: Allowed, caller: Account): void {
  if (allowed === 'human' && caller.isBot)
    throw new BadRequest('This endpoint does not accept bot requests.');
  if (allowed === 'administrator' && !isAdministrator(caller))
    throw new UnauthorizedPrincipal('administrator');
}

function answerFailure({ route }: AnyEndpoint, request: Request): void {
  const { error } = request;
  if (error instanceof DeclaredError) request.response = failure(error);
  else if (error instanceof Throttled) request.response = failure(new RateLimitHit(THROTTLED_RETRY_SECONDS));
  else {
    logLine('error', 'A request failed', {
      route,
      requestId: requestIdOf(request),
      ...describeFailure(error),
    });
    request.response = internalError();
  }
}

/** The id by which API Gateway's own log knows the request. */
const requestIdOf = ({ event }: Request): string | undefined =>
  (event as Partial<Exchange>).http?.requestContext.requestId;
