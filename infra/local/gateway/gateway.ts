import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { answerCounted } from '#functions/server/answer-unrouted.ts';
import { type Around, justRun } from '#infra/local/around.ts';
import { StartFailure } from '#infra/local/start-failure.ts';
import { logAccess } from '#shared/api/access-line.ts';
import type { AnyEndpoint, Route } from '#shared/api/endpoint.ts';
import { failure, internalError } from '#shared/api/envelope.ts';
import type { HttpEvent, HttpReply } from '#shared/api/http.ts';
import { type HttpHandler, lambda } from '#shared/api/lambda.ts';
import { RequestCounter } from '#shared/api/request-limit.ts';
import { createMethodFinder, gatewayRouteOf, pathOf } from '#shared/api/route.ts';
import { createRouter } from '#shared/api/router.ts';
import type { WebClient } from '#shared/api/web/web-client.ts';
import { BodyTooLarge, DeclaredError, RateLimitHit } from '#shared/domain/errors.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';
import { Admission, type AdmissionLimits, POLLS, REQUESTS } from './admission.ts';
import { refuseMalformedRequest } from './malformed-request.ts';
import { announcesTooMuch, readBody } from './read-body.ts';
import { readSegments, readTarget, toEvent } from './to-event.ts';

/** The HTTP listener that replaces API Gateway. */
export interface Gateway {
  port: number;
  /** Accepts no more requests. Closes all connections, those with a running request after so long, or at once. */
  stop(graceMs?: number): Promise<void>;
}

export interface GatewayOptions {
  registry: Record<string, AnyEndpoint>;
  /** Early requests wait until the services are ready. */
  services: Services | Promise<Services>;
  host: string;
  /** 0 uses any free port. */
  port: number;
  /** The maximum of concurrent requests, and of held polls. */
  admission?: { requests: AdmissionLimits; polls: AdmissionLimits } | undefined;
  /** Takes over connections that ask to become sockets. */
  acceptSocket?: ((request: IncomingMessage, stream: Duplex, head: Buffer) => void) | undefined;
  /** The page and the files of the web client. */
  web?: WebClient | undefined;
  /** Answers requests outside the API; undefined for unknown ones. */
  beside?: (event: HttpEvent) => Promise<HttpReply | undefined>;
  around?: Around | undefined;
  /** Is told of each answer of an endpoint. */
  watch?: ((answered: Answered) => void) | undefined;
}

/** An answer, or that a request was not let in. */
export interface Answered {
  statusCode: number;
  tookMs: number;
  isRefused: boolean;
}

/**
 * How long an idle connection stays open, as announced in replies: longer than clients pause between two
 * requests.
 */
const KEEP_ALIVE_MS = 75_000;
/** Refused clients return spread over this time, the earliest after half of it. */
const RETRY_SECONDS = 2;
/** How often a listener that is about to close looks for connections without a request. */
const IDLE_CHECK_MS = 20;
/** How long a client may keep sending a refused body, so that it can read the answer. */
const REFUSED_BODY_GRACE_MS = 1_000;

/**
 * Serves the endpoints of a registry: converts HTTP requests to API Gateway events and replies back. No
 * request can stop the server.
 * @throws StartFailure when it cannot listen
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { services, host, port } = options;
  const answering = Promise.resolve(services).then((ready) => createAnswerer(options, ready));
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    respond(request, response, answering).catch((failure) => {
      logLine('error', 'A reply could not be sent', describeFailure(failure));
      response.destroy();
    });
  };
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, serve);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (!announcesTooMuch(request)) response.writeContinue();
    serve(request, response);
  });
  if (options.acceptSocket) server.on('upgrade', options.acceptSocket);
  server.on('clientError', refuseMalformedRequest);
  await listen(server, host, port);
  server.on('error', (failure) => logLine('error', 'The listener failed', describeFailure(failure)));
  return {
    port: (server.address() as AddressInfo).port,
    stop: (graceMs = 0) => close(server, graceMs),
  };
}

/** A connection that its last answer leaves idle would stay open for its keep-alive time. */
async function close(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const endMs = performance.now() + graceMs;
  while (performance.now() < endMs && (await countConnections(server)) > 0) {
    server.closeIdleConnections();
    await pause(IDLE_CHECK_MS);
  }
  server.closeAllConnections();
  await closed;
}

const countConnections = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((_failure, count) => resolve(count)));

/** Statuses of replies without a body. */
const BODILESS = [204, 304];

type Answerer = (request: IncomingMessage, body: Buffer) => Promise<HttpReply>;

function createAnswerer(
  {
    registry,
    web,
    beside,
    around = justRun,
    watch,
    admission = { requests: REQUESTS, polls: POLLS },
  }: GatewayOptions,
  services: Services,
): Answerer {
  const endpoints = Object.values(registry);
  const counter = new RequestCounter();
  const requests = new Admission(admission.requests);
  const polls = new Admission(admission.polls);
  const waiting = new Set(endpoints.filter((one) => one.holdsPolls).map(gatewayRouteOf));
  const routes = endpoints.map(gatewayRouteOf);
  const methodsAt = createMethodFinder(routes);
  const handlers = new Map<Route, HttpHandler>(
    Object.entries(registry).map(([operation, endpoint]) => {
      const handle = lambda(endpoint, () => services, methodsAt(pathOf(endpoint)));
      return [gatewayRouteOf(endpoint), (event) => around(operation, () => handle(event))];
    }),
  );
  const findRoute = createRouter(routes);
  return async (request, body) => {
    const target = readTarget(request.url ?? '/');
    const segments = readSegments(target.rawPath);
    const match = findRoute(request.method ?? '', segments);
    const event = toEvent(request, target, body, match);
    const handler = match && handlers.get(match.route);
    const leave = await (match && waiting.has(match.route) ? polls : requests).enter(body.length);
    const answerWithin = async (): Promise<HttpReply> => {
      if (leave && handler) return handler(event);
      const reply = leave
        ? ((await beside?.(event)) ?? (await answerCounted(event, routes, { services, counter, web })))
        : failure(new RateLimitHit((RETRY_SECONDS * (1 + Math.random())) / 2));
      if (services.config.accessLog) logAccess(event, reply.statusCode);
      return reply;
    };
    const startedAtMs = performance.now();
    const reply = await answerWithin().catch(toFailureReply).finally(leave);
    const tookMs = Math.round(performance.now() - startedAtMs);
    watch?.({ statusCode: reply.statusCode, tookMs, isRefused: !leave });
    return reply;
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answering: Promise<Answerer>,
): Promise<void> {
  response.on('error', () => response.destroy());
  const body = await readBody(request).catch(() => 'gone' as const);
  if (body === 'gone') return;
  if (body === undefined) return refuseBody(request, response);
  const reply = await answering.then((answer) => answer(request, body)).catch(toFailureReply);
  const bytes = Buffer.from(reply.body, reply.isBase64Encoded ? 'base64' : 'utf8');
  response.writeHead(reply.statusCode, {
    ...reply.headers,
    ...(reply.cookies && { 'Set-Cookie': reply.cookies }),
    ...(!BODILESS.includes(reply.statusCode) && { 'Content-Length': bytes.length }),
  });
  // Of an answer to HEAD, or of one that has no body, Node sends none.
  response.end(bytes);
}

function toFailureReply(cause: unknown): HttpReply {
  if (cause instanceof DeclaredError) return failure(cause);
  logLine('error', 'A request failed', describeFailure(cause));
  return internalError();
}

/** Closing the connection while the client sends would lose the answer, hence the short grace. */
async function refuseBody(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { statusCode, headers, body } = failure(new BodyTooLarge());
  response.writeHead(statusCode, {
    ...headers,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  });
  response.write(body);
  const grace = new AbortController();
  const sent = once(request, 'close').finally(() => grace.abort());
  await Promise.race([sent, pause(REFUSED_BODY_GRACE_MS, undefined, { signal: grace.signal })]).catch(
    () => {},
  );
  response.end();
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (failure) {
    const { code, message } = failure as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      EADDRINUSE: `Port ${port} of ${host} is already in use; choose another by PORT.`,
      EACCES: `Port ${port} of ${host} may not be used by this user; choose another by PORT.`,
    };
    throw new StartFailure(reasons[code ?? ''] ?? `The service cannot listen on ${host}: ${message}`);
  }
}
