import { readFileSync } from 'node:fs';
import type { InvokeFunction } from '#shared/adapters/aws-functions.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import type { Route } from '#shared/api/endpoint.ts';
import { originSecretOf, throughEntrance } from '#shared/api/entrance.ts';
import { failure, internalError, preflight, success, transportSecurity } from '#shared/api/envelope.ts';
import type { HttpEvent, HttpReply } from '#shared/api/http.ts';
import { addressSubject, lightly, quotaHeaders, RequestCounter } from '#shared/api/request-limit.ts';
import { allowedMethods, createMethodFinder, createRouter, type Match } from '#shared/api/route.ts';
import { WebClient } from '#shared/api/web/web-client.ts';
import { DeclaredError, MethodNotAllowed, RateLimitHit, UnknownEndpoint } from '#shared/domain/errors.ts';
import { TUS_EXTENSIONS, TUS_VERSION } from '#shared/domain/uploads/tus.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';
import { Throttled } from '#shared/table/table.ts';

const THROTTLED_RETRY_SECONDS = 1;

/**
 * Answers requests that match neither a route nor the web client: 404, 405 with the allowed methods of the
 * path, or the answer to OPTIONS.
 */
export function answerUnrouted(event: HttpEvent, routes: Route[], maxFileMebibytes: number): HttpReply {
  const methods = createMethodFinder(routes)(event.rawPath);
  if (methods.length === 0) return failure(new UnknownEndpoint());
  if (isProbe(event)) return success({}, []);
  const allowed = allowedMethods(methods);
  if (event.requestContext.http.method === 'OPTIONS')
    return preflight(allowed, tusHeaders(event.rawPath, maxFileMebibytes));
  return failure(new MethodNotAllowed(allowed));
}

/** Trello checks the address of a webhook with HEAD before it accepts the address. */
const isProbe = ({ rawPath, requestContext }: HttpEvent): boolean =>
  requestContext.http.method === 'HEAD' && rawPath.startsWith('/api/v1/external/');

/** The answer to OPTIONS for clients of resumable uploads. */
const tusHeaders = (path: string, maxFileMebibytes: number): Record<string, string> =>
  path.startsWith('/api/v1/tus')
    ? {
        'Tus-Resumable': TUS_VERSION,
        'Tus-Version': TUS_VERSION,
        'Tus-Extension': TUS_EXTENSIONS,
        'Tus-Max-Size': String(maxFileMebibytes * 1024 * 1024),
        'Access-Control-Expose-Headers': 'Tus-Version, Tus-Extension, Tus-Max-Size',
      }
    : {};

/**
 * Answers with the web client or the above, counted for the caller's address, because nothing else limits
 * anonymous callers. The limit is the larger one, because browsers send OPTIONS before many requests.
 */
export async function answerCounted(
  received: HttpEvent,
  routes: Route[],
  { services, counter, web }: { services: Services; counter: RequestCounter; web?: WebClient | undefined },
): Promise<HttpReply> {
  const event = throughEntrance(received, await originSecretOf(services));
  const subject = addressSubject(event.requestContext.http.sourceIp);
  const quota = await counter.count(services, lightly(subject));
  const { retryAfterSeconds } = quota;
  const isRefused = retryAfterSeconds !== undefined;
  const reply = isRefused
    ? failure(new RateLimitHit(retryAfterSeconds))
    : (web?.answer(event) ?? answerUnrouted(event, routes, services.config.maxFileMebibytes));
  return {
    ...reply,
    headers: { ...reply.headers, ...quotaHeaders(quota), ...transportSecurity(event) },
  };
}

/**
 * The function names of all routes. The build puts them beside the bundle, because importing the registry would
 * include every endpoint.
 */
interface Operations {
  routes: Route[];
  functionNames: Record<string, string>;
  findRoute: ReturnType<typeof createRouter>;
}

let operations: Operations | undefined;
let invokeFunction: InvokeFunction | undefined;
const counter = new RequestCounter();
/** A layer of the function. */
const web = new WebClient('/opt', {
  filesOrigin: process.env.FILES_ORIGIN,
  socketUrl: process.env.EVENT_SOCKET_URL,
});

/**
 * Answers what API Gateway has no route for. Requests that belong to an operation nevertheless, as HEAD does, are
 * answered by the function of the operation, which authenticates and counts them.
 */
export const handler = async (event: HttpEvent): Promise<HttpReply> => {
  operations ??= readOperations();
  const { routes, functionNames, findRoute } = operations;
  const match = findRoute(event.requestContext.http.method, decodeSegments(event.rawPath));
  const functionName = functionNames[match?.route ?? ''];
  if (match && functionName !== undefined) return forward(event, match, functionName);
  return answerCounted(event, routes, { services: awsServices(), counter, web }).catch((failed) => {
    if (failed instanceof DeclaredError) return failure(failed);
    throw failed;
  });
};

function readOperations(): Operations {
  const functionNames = JSON.parse(readFileSync(new URL('./routes.json', import.meta.url), 'utf8'));
  const routes = Object.keys(functionNames) as Route[];
  return { routes, functionNames, findRoute: createRouter(routes) };
}

/** API Gateway has decoded some paths and not others, so a segment that cannot be decoded is kept. */
const decodeSegments = (path: string): string[] =>
  path
    .slice(1)
    .split('/')
    .map((segment) => {
      try {
        return decodeURIComponent(segment);
      } catch {
        return segment;
      }
    });

async function forward(
  event: HttpEvent,
  { route, pathParameters }: Match,
  functionName: string,
): Promise<HttpReply> {
  try {
    invokeFunction ??= await createInvoker();
    return (await invokeFunction(functionName, { ...event, routeKey: route, pathParameters })) as HttpReply;
  } catch (failed) {
    if (failed instanceof Throttled) return failure(new RateLimitHit(THROTTLED_RETRY_SECONDS));
    logLine('error', 'A function could not be invoked', { route, ...describeFailure(failed) });
    return internalError();
  }
}

async function createInvoker(): Promise<InvokeFunction> {
  const { createAwsFunctions } = await import('#shared/adapters/aws-functions.ts');
  return createAwsFunctions({ namePrefix: process.env.FUNCTION_PREFIX ?? '' });
}
