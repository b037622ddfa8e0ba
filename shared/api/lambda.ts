import middy from '@middy/core';
import { DeclaredError, RateLimitHit } from '#shared/domain/errors.ts';
import { OrganizationDeactivated } from '#shared/domain/organization/errors.ts';
import type { Account } from '#shared/domain/users/user.ts';
import { withFreshState } from '#shared/log/commit.ts';
import type { Retry } from '#shared/log/commit-with-answer.ts';
import { beginRequest } from '#shared/runtime/deadline.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';
import { isClosed } from '#shared/store/closure.ts';
import { Throttled, Unreachable } from '#shared/table/table.ts';
import { requireAllowed } from './access.ts';
import { logAccess } from './access-line.ts';
import { apiKeyOf, authenticate } from './authenticate.ts';
import { type AnyEndpoint, isClosedToAll } from './endpoint.ts';
import { failure, internalError, success } from './envelope.ts';
import { clientName, decodeContent, type HttpEvent, type HttpReply, type RequestContent } from './http.ts';
import { obeyMethod } from './method-parameter.ts';
import { isOwnReply } from './own-reply.ts';
import { acceptsGzip, packReply } from './pack-reply.ts';
import { ignoredParameters, type ParameterTexts, readParameters } from './parameters.ts';
import {
  accountSubject,
  addressSubject,
  lightly,
  type Quota,
  quotaHeaders,
  RequestCounter,
  type Subject,
} from './request-limit.ts';
import { takeFiles } from './uploads.ts';

/** What the chain has found out about a request so far; middlewares add to it, the handler uses it. */
interface Exchange {
  http: HttpEvent;
  services: Services;
  caller?: Account | undefined;
  quota?: Quota;
  content?: RequestContent;
}

interface Request {
  event: unknown;
  response: unknown;
  error: Error | null | undefined;
}

/** What Lambda tells a function of the call; there is nothing of it elsewhere. */
interface LambdaContext {
  getRemainingTimeInMillis?(): number;
}

export type HttpHandler = (event: HttpEvent, context?: LambdaContext) => Promise<HttpReply>;

const THROTTLED_RETRY_SECONDS = 1;
const UNREACHABLE_RETRY_SECONDS = 5;
/** An alarm counts the log lines with these words. */
export const UNREACHABLE_WORDS = 'The table did not answer a request';

/**
 * The one chain between API Gateway and an endpoint: authenticate and count, check the role, decode, read the
 * parameters, handle, wrap, compress. Every way out of it is an answer in the protocol's envelope. `pathMethods` are those
 * that other endpoints of the path have.
 */
export function lambda(
  endpoint: AnyEndpoint,
  getServices: () => Services,
  pathMethods = methodsFromEnvironment(),
): HttpHandler {
  const counter = new RequestCounter();
  const open = (request: Request): void => {
    request.event = { http: request.event, services: getServices() } as Exchange;
  };
  const identify = async ({ event }: Request): Promise<void> => {
    const exchange = event as Exchange;
    const { originSecret } = exchange.services.config;
    if (originSecret !== undefined) {
      const { throughEntrance } = await import('./entrance.ts');
      exchange.http = throughEntrance(exchange.http, originSecret);
    }
    exchange.caller = await findCaller(endpoint, exchange, counter);
    if (isClosedToAll(endpoint) && (await isClosed(exchange.services))) throw new OrganizationDeactivated();
    // Counted before, like everything that a stranger can ask for.
    exchange.http = obeyMethod(endpoint, exchange.http, pathMethods);
    if (exchange.caller) requireAllowed(endpoint, exchange.caller);
  };
  const decode = async ({ event }: Request): Promise<void> => {
    const exchange = event as Exchange;
    exchange.content = await decodeContent(exchange.http);
  };
  const chain = middy()
    .use({ before: open, after: finish, onError: finish })
    .use({ onError: (request: Request) => answerFailure(endpoint, request) })
    .use({ before: identify })
    .use({ before: decode })
    .handler((exchange: unknown) => answer(endpoint, exchange as Required<Exchange>));
  return (event, context) => {
    const withinMs = context?.getRemainingTimeInMillis?.();
    if (withinMs !== undefined) beginRequest(withinMs);
    return (chain as unknown as HttpHandler)(event, context);
  };
}

/** On AWS a function is told of its neighbours. */
const methodsFromEnvironment = (): string[] => process.env.PATH_METHODS?.split(',') ?? [];

async function answer(
  endpoint: AnyEndpoint,
  { http, services, caller, content }: Required<Exchange>,
): Promise<HttpReply> {
  const { files, piece } = content;
  const texts = endpoint.takesPieces ? withHeaders(endpoint, content.texts, http) : content.texts;
  const params = readParameters(endpoint.params, texts);
  const context = {
    services,
    caller,
    client: clientName(http, texts),
    clientAddress: http.requestContext.http.sourceIp,
    acceptsGzip: acceptsGzip(http.headers['accept-encoding']),
    files: await takeFiles(endpoint.files, files),
    piece: endpoint.takesPieces && piece,
  };
  const ignored = ignoredParameters(endpoint.params, texts);
  const handle = (retry?: Retry) =>
    // What one attempt learned of the caller's groups is not known to the next one.
    endpoint.handle(params, { ...context, caller: caller && { ...caller }, retry });
  const key = http.headers['idempotency-key'];
  if (endpoint.creates && key !== undefined && caller) {
    const { answerOnce, REPLAYED_HEADERS } = await import('./answer-once.ts');
    const secret = apiKeyOf(http.headers.authorization);
    const { userId } = caller;
    const { files: taken } = context;
    const call = {
      services,
      userId,
      secret,
      route: endpoint.route,
      key,
      params,
      texts,
      ignored,
      files: taken,
    };
    const { fields, isReplayed } = await answerOnce(call, handle);
    return success(fields, ignored, isReplayed ? REPLAYED_HEADERS : {});
  }
  const fields = await withFreshState(services, () => handle());
  if (isOwnReply(fields)) return fields.toReply(http);
  return success(fields, ignored);
}

/** The texts with those of headers that stand for parameters. */
function withHeaders({ params }: AnyEndpoint, texts: ParameterTexts, { headers }: HttpEvent): ParameterTexts {
  const given = Object.keys(params).flatMap((name): [string, string][] => {
    const header = headers[name.replaceAll('_', '-')];
    return header === undefined ? [] : [[name, header]];
  });
  return { ...texts, query: new Map([...texts.query, ...given]) };
}

/** Who calls. A request counts for the caller, or for its address where it names none or names one wrongly. */
async function findCaller(
  { allow, isLight }: AnyEndpoint,
  exchange: Exchange,
  counter: RequestCounter,
): Promise<Account | undefined> {
  const { http, services } = exchange;
  const { authorization } = http.headers;
  const address = addressSubject(http.requestContext.http.sourceIp);
  const isAnonymous = allow === 'anyone' || (allow === 'userOrAnonymous' && !authorization?.trim());
  try {
    const caller = isAnonymous ? undefined : await authenticate(authorization, services);
    const subject = caller ? accountSubject(caller.userId) : address;
    await admit(isLight ? lightly(subject) : subject, exchange, counter);
    return caller;
  } catch (failure) {
    if (failure instanceof DeclaredError && !exchange.quota) await admit(address, exchange, counter);
    throw failure;
  }
}

/** @throws RateLimitHit for a request too many */
async function admit(subject: Subject, exchange: Exchange, counter: RequestCounter): Promise<void> {
  exchange.quota = await counter.count(exchange.services, subject);
  const { retryAfterSeconds } = exchange.quota;
  if (retryAfterSeconds !== undefined) throw new RateLimitHit(retryAfterSeconds);
}

/** The last step of every answer. */
async function finish(request: Request): Promise<void> {
  const { http, quota, services, caller } = request.event as Partial<Exchange>;
  const packed = await packReply(request.response as HttpReply, http?.headers['accept-encoding']);
  const headers = { ...packed.headers, ...(quota && quotaHeaders(quota)) };
  request.response = { ...packed, headers };
  if (http && services?.config.accessLog) logAccess(http, { status: packed.statusCode, caller });
}

function answerFailure({ route }: AnyEndpoint, request: Request): void {
  const { error } = request;
  if (error instanceof DeclaredError) request.response = failure(error);
  else if (error instanceof Throttled) request.response = failure(new RateLimitHit(THROTTLED_RETRY_SECONDS));
  else {
    const isDefect = !(error instanceof Unreachable);
    const message = isDefect ? 'A request failed' : UNREACHABLE_WORDS;
    logLine('error', message, { route, requestId: requestIdOf(request), ...describeFailure(error) });
    request.response = isDefect ? internalError() : failure(new RateLimitHit(UNREACHABLE_RETRY_SECONDS));
  }
}

/** The id by which API Gateway's own log knows the request. */
const requestIdOf = ({ event }: Request): string | undefined =>
  (event as Partial<Exchange>).http?.requestContext.requestId;
