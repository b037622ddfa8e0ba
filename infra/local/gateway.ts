import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { answerCounted } from '#functions/server/answer-unrouted.ts';
import { logAccess } from '#shared/api/access-line.ts';
import type { AnyEndpoint, Route } from '#shared/api/endpoint.ts';
import { failure, internalError } from '#shared/api/envelope.ts';
import type { HttpEvent, HttpReply } from '#shared/api/http.ts';
import { type HttpHandler, lambda } from '#shared/api/lambda.ts';
import { RequestCounter } from '#shared/api/request-limit.ts';
import { findPostTarget, gatewayRouteOf, methodsOf, pathOf } from '#shared/api/route.ts';
import { BodyTooLarge, DeclaredError, RateLimitHit } from '#shared/domain/errors.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';
import { Admission, type AdmissionLimits } from './admission.ts';
import { type Around, justRun } from './around.ts';
import { refuseMalformedRequest } from './malformed-request.ts';
import { announcesTooMuch, readBody } from './read-body.ts';
import { createRouter } from './router.ts';
import { StartFailure } from './start-failure.ts';
import { readSegments, readTarget, toEvent } from './to-event.ts';

/** The listener that stands where API Gateway stands on AWS. */
export interface Gateway {
  port: number;
  /** Closes every connection at once, those with a request under way too. */
  stop(): Promise<void>;
}

export interface GatewayOptions {
  registry: Record<string, AnyEndpoint>;
  /** Requests that come before the services are there wait for them. */
  services: Services | Promise<Services>;
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** How many requests are answered at once, and how many polls are held. */
  admission?: { requests: AdmissionLimits; polls: AdmissionLimits } | undefined;
  /** Answers what is no request of the API; undefined where it knows no answer either. */
  beside?: (event: HttpEvent) => Promise<HttpReply | undefined>;
  around?: Around | undefined;
}

/** How long an idle connection stays open, as every reply announces: longer than clients pause between two requests. */
const KEEP_ALIVE_MS = 75_000;
/**
 * The embedded DynamoDB does not get more done when more is asked of it at once. Who waits longer than ten seconds is
 * better told to come back.
 */
const REQUESTS: AdmissionLimits = {
  places: 32,
  waiting: 1_000,
  waitingBytes: 64 * 1024 * 1024,
  waitMs: 10_000,
};
/** A poll that waits for events does nothing most of the time, and takes the place of no other request. */
const POLLS: AdmissionLimits = { ...REQUESTS, places: 2_000, waiting: 0 };
/** Those who are refused come back spread over this time, the sooner ones after its half. */
const RETRY_SECONDS = 2;
/** How long a client may go on sending a body that was refused, so that it gets to read the answer. */
const REFUSED_BODY_GRACE_MS = 1_000;

/**
 * Serves the endpoints of a registry by turning HTTP requests into API Gateway's events and the replies back.
 * Whatever a request does, the server goes on. @throws StartFailure where it cannot listen
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
  server.on('clientError', refuseMalformedRequest);
  await listen(server, host, port);
  server.on('error', (failure) => logLine('error', 'The listener failed', describeFailure(failure)));
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

type Answerer = (request: IncomingMessage, body: Buffer) => Promise<HttpReply>;

function createAnswerer(
  { registry, beside, around = justRun, admission = { requests: REQUESTS, polls: POLLS } }: GatewayOptions,
  services: Services,
): Answerer {
  const endpoints = Object.values(registry);
  const counter = new RequestCounter();
  const requests = new Admission(admission.requests);
  const polls = new Admission(admission.polls);
  // What has executions of its own on AWS is what waits.
  const waiting = new Set(
    endpoints.filter((one) => one.reservedConcurrency !== undefined).map(gatewayRouteOf),
  );
  const routes = endpoints.map(gatewayRouteOf);
  const handlers = new Map<Route, HttpHandler>(
    Object.entries(registry).map(([operation, endpoint]) => {
      const methods = methodsOf(pathOf(endpoint), routes);
      const handle = lambda(endpoint, () => services, methods);
      return [gatewayRouteOf(endpoint), (event) => around(operation, () => handle(event))];
    }),
  );
  for (const [path, ofPath] of Map.groupBy(endpoints, pathOf)) {
    const target = findPostTarget(ofPath);
    const handler = target && handlers.get(gatewayRouteOf(target));
    if (handler) handlers.set(`POST ${path}` as Route, handler);
  }
  const findRoute = createRouter([...handlers.keys()]);
  return async (request, body) => {
    const target = readTarget(request.url ?? '/');
    const segments = readSegments(target.rawPath);
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '');
    const match = findRoute(method, segments);
    const event = toEvent(request, target, body, match);
    const handler = match && handlers.get(match.route);
    const leave = await (match && waiting.has(match.route) ? polls : requests).enter(body.length);
    const answerWithin = async (): Promise<HttpReply> => {
      if (leave && handler) return handler(event);
      const reply = leave
        ? ((await beside?.(event)) ?? (await answerCounted(event, routes, { services, counter })))
        : failure(new RateLimitHit((RETRY_SECONDS * (1 + Math.random())) / 2));
      if (services.config.accessLog) logAccess(event, { status: reply.statusCode });
      return reply;
    };
    return answerWithin().finally(leave);
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
  const hasBody = request.method !== 'HEAD' && reply.statusCode !== 204;
  const bytes = Buffer.from(reply.body, reply.isBase64Encoded ? 'base64' : 'utf8');
  response.writeHead(reply.statusCode, {
    ...reply.headers,
    ...(reply.statusCode !== 204 && { 'Content-Length': bytes.length }),
  });
  response.end(hasBody ? bytes : undefined);
}

function toFailureReply(cause: unknown): HttpReply {
  if (cause instanceof DeclaredError) return failure(cause);
  logLine('error', 'A request failed', describeFailure(cause));
  return internalError();
}

/** A connection closed under a client that still sends would lose the answer, hence the short grace. */
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
