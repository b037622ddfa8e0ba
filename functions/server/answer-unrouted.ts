import { readFileSync } from 'node:fs';
import type { Route } from '#shared/api/endpoint.ts';
import { throughEntrance } from '#shared/api/entrance.ts';
import { failure, preflight } from '#shared/api/envelope.ts';
import type { HttpEvent, HttpReply } from '#shared/api/http.ts';
import { addressSubject, lightly, quotaHeaders, RequestCounter } from '#shared/api/request-limit.ts';
import { allowedMethods, createMethodFinder } from '#shared/api/route.ts';
import { WebClient } from '#shared/api/web/web-client.ts';
import { DeclaredError, MethodNotAllowed, RateLimitHit, UnknownEndpoint } from '#shared/domain/errors.ts';
import { TUS_EXTENSIONS, TUS_VERSION } from '#shared/domain/uploads/tus.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import type { Services } from '#shared/runtime/services.ts';

/**
 * Answers requests that match neither a route nor the web client: 404, 405 with the allowed methods of the
 * path, or the answer to OPTIONS.
 */
export function answerUnrouted(event: HttpEvent, routes: Route[], maxFileMebibytes: number): HttpReply {
  const methods = createMethodFinder(routes)(event.rawPath);
  if (methods.length === 0) return failure(new UnknownEndpoint());
  const allowed = allowedMethods(methods);
  if (event.requestContext.http.method === 'OPTIONS')
    return preflight(allowed, tusHeaders(event.rawPath, maxFileMebibytes));
  return failure(new MethodNotAllowed(allowed));
}

/** The answer to OPTIONS for clients of resumable uploads. */
const tusHeaders = (path: string, maxFileMebibytes: number): Record<string, string> =>
  path.startsWith('/api/v1/tus/')
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
  const event = throughEntrance(received, services.config.originSecret);
  const subject = addressSubject(event.requestContext.http.sourceIp);
  const quota = await counter.count(services, lightly(subject));
  const { retryAfterSeconds } = quota;
  const isRefused = retryAfterSeconds !== undefined;
  const reply = isRefused
    ? failure(new RateLimitHit(retryAfterSeconds))
    : (web?.answer(event) ?? answerUnrouted(event, routes, services.config.maxFileMebibytes));
  return { ...reply, headers: { ...reply.headers, ...quotaHeaders(quota) } };
}

let routes: Route[] | undefined;
const counter = new RequestCounter();
/** A layer of the function. */
const web = new WebClient('/opt', {
  filesOrigin: process.env.FILES_ORIGIN,
  socketUrl: process.env.EVENT_SOCKET_URL,
});

/**
 * The build puts the list of routes beside the bundle, because importing the registry would include every
 * endpoint.
 */
export const handler = async (event: HttpEvent): Promise<HttpReply> => {
  routes ??= JSON.parse(readFileSync(new URL('./routes.json', import.meta.url), 'utf8')) as Route[];
  return answerCounted(event, routes, { services: awsServices(), counter, web }).catch((failed) => {
    if (failed instanceof DeclaredError) return failure(failed);
    throw failed;
  });
};
