import middy from '@middy/core';
import {
  DeclaredError,
  InsufficientStorage,
  InvalidApiKey,
  RateLimitHit,
  Unauthorized,
} from '#shared/domain/errors.ts';
import { OrganizationDeactivated } from '#shared/domain/organization/errors.ts';
import type { Account } from '#shared/domain/users/user.ts';
import { OutcomeUnknown, type Retry, withFreshState } from '#shared/log/commit.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';
import { isClosed, isDeleted } from '#shared/store/organization/organization.ts';
import { beginRequest } from '#shared/table/deadline.ts';
import { StorageFull, Throttled, Unreachable } from '#shared/table/table.ts';
import type { Before } from './access-line.ts';
import { isClosedToAll, needsData, requireAllowed } from './auth/access.ts';
import { authenticate, loadBrowsers } from './auth/authenticate.ts';
import type { Browser } from './auth/browser.ts';
import type { AnyEndpoint } from './endpoint.ts';
import {
  acceptsGzip,
  failure,
  internalError,
  isOwnReply,
  packReply,
  success,
  transportSecurity,
} from './envelope.ts';
import { clientName, decodeContent, type HttpEvent, type HttpReply, type RequestContent } from './http.ts';
import { ignoredParameters, readParameters } from './parameters.ts';
import {
  accountSubject,
  addressSubject,
  lightly,
  type Quota,
  quotaHeaders,
  RequestCounter,
  type Subject,
} from './request-limit.ts';
import { obeyMethod } from './route.ts';

/** The results of the middlewares about a request; the handler reads them. */
interface Exchange {
  http: HttpEvent;
  browser?: Browser;
  services: Services;
  before: Before;
  caller?: Account | undefined;
  quota?: Quota;
  content?: RequestContent;
}

interface Request {
  event: unknown;
  response: unknown;
  error: Error | null | undefined;
}

/** The part of Lambda's context that is used. */
interface LambdaContext {
  getRemainingTimeInMillis?(): number;
}

export type HttpHandler = (event: HttpEvent, context?: LambdaContext) => Promise<HttpReply>;

const THROTTLED_RETRY_SECONDS = 1;
const UNREACHABLE_RETRY_SECONDS = 5;
const STORAGE_FULL_WORDS = 'The disk is full: a request was refused';
/** An alarm counts log lines that contain these words. */
export const THROTTLED_WORDS = 'The table turned a request away';
export const UNREACHABLE_WORDS = 'The table did not answer a request';

/**
 * The middleware chain between API Gateway and an endpoint: authenticate and count, check the role, decode,
 * read parameters, handle, wrap, compress. Every outcome is an answer in the protocol's envelope.
 * `pathMethods` are the methods of other endpoints on the same path.
 */
export function lambda(
  endpoint: AnyEndpoint,
  getServices: () => Services,
  pathMethods = methodsFromEnvironment(),
): HttpHandler {
  const counter = new RequestCounter();
  const open = (request: Request): void => {
    const services = getServices();
    const before = { ...services.consumed?.(), ms: services.clock.nowMs() };
    request.event = { http: request.event, services, before } as Exchange;
  };
  const identify = async ({ event }: Request): Promise<void> => {
    const exchange = event as Exchange;
    const { services } = exchange;
    if (services.originSecret || services.config.originSecret !== undefined) {
      const { originSecretOf, throughEntrance } = await import('./entrance.ts');
      exchange.http = throughEntrance(exchange.http, await originSecretOf(services));
    }
    // First, because the account of the caller was deleted too.
    if (needsData(endpoint) && (await isDeleted(services))) throw new OrganizationDeactivated(true);
    exchange.caller = await findCaller(endpoint, exchange, counter);
    if (isClosedToAll(endpoint) && (await isClosed(exchange.services))) throw new OrganizationDeactivated();
    // Counted first, because anonymous callers can send it.
    exchange.http = obeyMethod(endpoint, exchange.http, pathMethods);
    if (exchange.caller) requireAllowed(endpoint, exchange.caller);
  };
  const decode = async ({ event }: Request): Promise<void> => {
    const exchange = event as Exchange;
    exchange.content = await decodeContent(exchange.http, endpoint.takesJson);
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
    return (chain as HttpHandler)(event, context);
  };
}

/** What only deliveries of other programs need. */
const loadSenders = () => import('./auth/sender.ts');

/** On AWS the methods of neighbouring endpoints come from the environment. */
const methodsFromEnvironment = (): string[] => process.env.PATH_METHODS?.split(',') ?? [];

async function answer(
  endpoint: AnyEndpoint,
  { http, browser, services, caller, content }: Required<Exchange>,
): Promise<HttpReply> {
  const { files, piece } = content;
  const texts = endpoint.takesPieces
    ? (await import('./files/header-parameters.ts')).withHeaders(endpoint, content.texts, http)
    : content.texts;
  const params = readParameters(endpoint.params, texts);
  const context = {
    services,
    caller,
    client: clientName(http, texts),
    browser,
    clientAddress: http.requestContext.http.sourceIp,
    acceptsGzip: acceptsGzip(http.headers['accept-encoding']),
    files: endpoint.files ? await (await import('./files/uploads.ts')).takeFiles(endpoint.files, files) : [],
    piece: endpoint.takesPieces && piece,
    sent: endpoint.takesDeliveries && (await loadSenders()).sentRequest(http, content.texts),
    http: endpoint.seesRequest && http,
  };
  const ignored = endpoint.takesDeliveries ? [] : ignoredParameters(endpoint.params, texts);
  const handle = (retry?: Retry) =>
    // A fresh copy per attempt: cached group memberships must not leak into the next attempt.
    endpoint.handle(params, { ...context, caller: caller && { ...caller }, retry });
  const key = http.headers['idempotency-key'];
  if (endpoint.creates && key !== undefined && caller) {
    const { answerOnce, REPLAYED_HEADERS, secretOf } = await import('./answer-once.ts');
    const { userId } = caller;
    const { files: taken } = context;
    const call = {
      services,
      userId,
      secret: secretOf(http),
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

/**
 * Authenticates the caller. A request counts for the account, or for its network address when it names no
 * valid account.
 */
async function findCaller(
  { allow, isLight, keepsSession, renewsSession, takesDeliveries }: AnyEndpoint,
  exchange: Exchange,
  counter: RequestCounter,
): Promise<Account | undefined> {
  const { http, services } = exchange;
  const address = addressSubject(http.requestContext.http.sourceIp);
  try {
    if (keepsSession) exchange.browser = (await loadBrowsers()).openBrowser(http);
    const caller =
      allow === 'anyone'
        ? undefined
        : takesDeliveries
          ? await (await loadSenders()).authenticateSender(http, services)
          : await authenticate(http, services);
    if (!caller && allow !== 'anyone' && allow !== 'userOrAnonymous') throw new Unauthorized();
    if (renewsSession && caller?.sessionDigest !== undefined)
      exchange.browser = (await loadBrowsers()).openBrowser(http);
    const subject = caller ? accountSubject(caller.userId) : address;
    await admit(isLight ? lightly(subject) : subject, exchange, counter);
    return caller;
  } catch (failure) {
    if (failure instanceof DeclaredError && !exchange.quota) await admit(address, exchange, counter);
    throw failure;
  }
}

/** @throws RateLimitHit over the limit */
async function admit(subject: Subject, exchange: Exchange, counter: RequestCounter): Promise<void> {
  exchange.quota = await counter.count(exchange.services, subject);
  const { retryAfterSeconds } = exchange.quota;
  if (retryAfterSeconds !== undefined) throw new RateLimitHit(retryAfterSeconds);
}

/** The last step of every answer. */
async function finish(request: Request): Promise<void> {
  const exchange = request.event as Partial<Exchange>;
  const { http, browser, quota, services } = exchange;
  const packed = await packReply(request.response as HttpReply, http?.headers['accept-encoding']);
  const headers = { ...packed.headers, ...(quota && quotaHeaders(quota)), ...transportSecurity(http) };
  request.response = { ...packed, headers, cookies: browser?.cookies };
  if (!http || !services?.config.accessLog) return;
  const { logAccess } = await import('./access-line.ts');
  logAccess(http, packed.statusCode, exchange as Exchange);
}

async function answerFailure(endpoint: AnyEndpoint, request: Request): Promise<void> {
  const { route } = endpoint;
  const error = request.error instanceof OutcomeUnknown ? request.error.cause : request.error;
  if (endpoint.challenges && (error instanceof Unauthorized || error instanceof InvalidApiKey)) {
    const { services, http } = request.event as Exchange;
    request.response = await endpoint.challenges(services, http, failure(error));
  } else if (error instanceof Unauthorized) request.response = await challenge(request, error);
  else if (error instanceof DeclaredError) request.response = failure(error);
  else if (error instanceof Throttled) {
    logLine('warn', THROTTLED_WORDS, { route, requestId: requestIdOf(request) });
    request.response = failure(new RateLimitHit(THROTTLED_RETRY_SECONDS));
  } else if (error instanceof StorageFull) {
    logLine('error', STORAGE_FULL_WORDS, { route, requestId: requestIdOf(request) });
    request.response = failure(new InsufficientStorage());
  } else {
    const isDefect = !(error instanceof Unreachable);
    const message = isDefect ? 'A request failed' : UNREACHABLE_WORDS;
    logLine('error', message, { route, requestId: requestIdOf(request), ...describeFailure(error) });
    request.response = isDefect ? internalError() : failure(new RateLimitHit(UNREACHABLE_RETRY_SECONDS));
  }
}

async function challenge({ event }: Request, error: Unauthorized): Promise<HttpReply> {
  const { challengeFor } = await loadBrowsers();
  return challengeFor((event as Exchange).http, failure(error));
}

/** The request id in API Gateway's own log. */
const requestIdOf = ({ event }: Request): string | undefined =>
  (event as Partial<Exchange>).http?.requestContext.requestId;
