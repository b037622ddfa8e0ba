import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
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
import { createMethodFinder, createRouter, gatewayRouteOf, pathOf } from '#shared/api/route.ts';
import type { WebClient } from '#shared/api/web/web-client.ts';
import { DeclaredError, RateLimitHit } from '#shared/domain/errors.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';
import { Admission, type AdmissionLimits, POLLS, REQUESTS } from './admission.ts';
import { clientAddressOf } from './client-address.ts';
import { MalformedRequests } from './malformed-request.ts';
import { ForeignName } from './own-names.ts';
import { announcesTooMuch, Bodies, type Body, type BodyLimits } from './read-body.ts';
import { readSegments, readTarget, toEvent } from './to-event.ts';

/** The HTTP listener that replaces API Gateway. */
export interface Gateway {
  port: number;
  /** Stops accepting requests. Closes all connections, the ones with a running request after so long, or at once. */
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
  bodies?: BodyLimits | undefined;
  /** Takes over connections that request to become sockets. */
  acceptSocket?:
    | ((request: IncomingMessage, stream: Duplex, head: Buffer, clientAddress: string) => void)
    | undefined;
  /** The number of proxies whose `X-Forwarded-For` counts; none if absent. */
  trustedProxies?: number | undefined;
  /** The address by which clients reach the service, if not the one that it listens at. */
  publicUrl?: string | undefined;
  /** The page and the files of the web client. */
  web?: WebClient | undefined;
  /** Answers requests outside the API; undefined for unknown ones. */
  beside?: (event: HttpEvent) => Promise<HttpReply | undefined>;
  around?: Around | undefined;
  /** Decides who may reach an operation before it is handled. */
  guard?: ((operation: string, handle: HttpHandler) => HttpHandler) | undefined;
  /** Whether a request calls the service by a name of its own; without it every name is one. */
  isOwnName?: ((request: IncomingMessage) => boolean) | undefined;
  /** Receives each answer of an endpoint. */
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
/** Browsers use encryption alone for a year. */
const HSTS = 'max-age=31536000';
/** Refused clients return spread over this time, the earliest after half of it. */
const RETRY_SECONDS = 2;
/** How often a listener that is about to close looks for connections without a request. */
const IDLE_CHECK_MS = 20;
/** How long a listener that is about to close leaves them open. */
const IDLE_GRACE_MS = 250;
/** API Gateway's limit of request line and headers; Node counts the names of headers too. */
const MAX_HEAD_BYTES = 10_240;
/** How long a client may take for the head of a request, and for all of it. */
const HEAD_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 120_000;
const TIMEOUT_CHECK_MS = 5_000;
/** How long a client may keep sending a refused body, so that it can read the answer. */
const REFUSED_BODY_GRACE_MS = 1_000;

/**
 * Serves the endpoints of a registry: converts HTTP requests to API Gateway events and replies back. No
 * request can stop the server.
 * @throws StartFailure when it cannot listen
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { services, host, port, acceptSocket, trustedProxies = 0, isOwnName = () => true } = options;
  const answering = Promise.resolve(services).then((ready) => createAnswerer(options, ready));
  const bodies = new Bodies(options.bodies);
  const isSecure = options.publicUrl?.startsWith('https:');
  const malformed = new MalformedRequests();
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    malformed.note(request.socket, response);
    if (isSecure) response.setHeader('Strict-Transport-Security', HSTS);
    const responding = isOwnName(request)
      ? respond(request, response, { answering, bodies, isClosing: () => !server.listening })
      : refuse(request, response, new ForeignName());
    responding.catch((failure) => {
      logLine('error', 'A reply could not be sent', describeFailure(failure));
      response.destroy();
    });
  };
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEAD_BYTES,
      headersTimeout: HEAD_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    },
    serve,
  );
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (isOwnName(request) && !announcesTooMuch(request)) response.writeContinue();
    serve(request, response);
  });
  if (acceptSocket)
    server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
      if (isOwnName(request)) acceptSocket(request, stream, head, clientAddressOf(request, trustedProxies));
      else stream.end('HTTP/1.1 421 Misdirected Request\r\nConnection: close\r\n\r\n');
    });
  server.on('clientError', (failure, socket) => malformed.refuse(failure, socket));
  await listen(server, host, port);
  server.on('error', (failure) => logLine('error', 'The listener failed', describeFailure(failure)));
  return {
    port: (server.address() as AddressInfo).port,
    stop: (graceMs = 0) => close(server, graceMs),
  };
}

/**
 * Stops listening and lets requests finish within the grace. Answers end their connections by now. A client may
 * be about to send on a connection that is idle, so those are closed a little later.
 */
async function close(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, 'close');
  const nowMs = performance.now();
  // That of `node:http` closes idle connections at once.
  if (graceMs > 0) NetServer.prototype.close.call(server);
  else server.close();
  while (performance.now() < nowMs + graceMs && (await countConnections(server)) > 0) {
    if (performance.now() > nowMs + IDLE_GRACE_MS) server.closeIdleConnections();
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
    guard = (_operation, handle) => handle,
    watch,
    trustedProxies = 0,
    publicUrl,
    admission = { requests: REQUESTS, polls: POLLS },
  }: GatewayOptions,
  services: Services,
): Answerer {
  const endpoints = Object.values(registry);
  const counter = new RequestCounter();
  const protocol = publicUrl && new URL(publicUrl).protocol.slice(0, -1);
  const requests = new Admission(admission.requests);
  const polls = new Admission(admission.polls);
  const waiting = new Set(endpoints.filter((endpoint) => endpoint.holdsPolls).map(gatewayRouteOf));
  const routes = endpoints.map(gatewayRouteOf);
  const methodsAt = createMethodFinder(routes);
  const handlers = new Map<Route, HttpHandler>(
    Object.entries(registry).map(([operation, endpoint]) => {
      const handle = guard(
        operation,
        lambda(endpoint, () => services, methodsAt(pathOf(endpoint))),
      );
      return [gatewayRouteOf(endpoint), (event) => around(operation, () => handle(event))];
    }),
  );
  const findRoute = createRouter(routes);
  return async (request, body) => {
    const target = readTarget(request.url ?? '/');
    const segments = readSegments(target.rawPath);
    const match = findRoute(request.method ?? '', segments);
    const event = toEvent(request, {
      target,
      body,
      match,
      protocol,
      clientAddress: clientAddressOf(request, trustedProxies),
    });
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

interface Answering {
  answering: Promise<Answerer>;
  bodies: Bodies;
  isClosing(): boolean;
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { answering, bodies, isClosing }: Answering,
): Promise<void> {
  response.on('error', () => response.destroy());
  let body: Body | undefined;
  try {
    body = await bodies.read(request);
  } catch (error) {
    if (error instanceof DeclaredError) return refuse(request, response, error);
    throw error;
  }
  if (!body) return;
  const { bytes: input, release } = body;
  const reply = await answering
    .then((answer) => answer(request, input))
    .catch(toFailureReply)
    .finally(release);
  const bytes = Buffer.from(reply.body, reply.isBase64Encoded ? 'base64' : 'utf8');
  response.writeHead(reply.statusCode, {
    ...reply.headers,
    ...(reply.cookies && { 'Set-Cookie': reply.cookies }),
    ...(isClosing() && { Connection: 'close' }),
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

/** Answers before the body is read. Closing the connection while the client sends would lose the answer, hence the grace. */
async function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  error: DeclaredError,
): Promise<void> {
  response.on('error', () => response.destroy());
  const { statusCode, headers, body } = failure(error);
  response.writeHead(statusCode, {
    ...headers,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  });
  response.write(body);
  request.resume();
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
