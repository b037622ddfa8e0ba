import { readFileSync } from 'node:fs';
import type { Route } from '#shared/api/endpoint.ts';
import { throughEntrance } from '#shared/api/entrance.ts';
import { failure, preflight } from '#shared/api/envelope.ts';
import type { HttpEvent, HttpReply } from '#shared/api/http.ts';
import { addressSubject, lightly, quotaHeaders, RequestCounter } from '#shared/api/request-limit.ts';
import { allowedMethods, methodsOf } from '#shared/api/route.ts';
import { DeclaredError, MethodNotAllowed, RateLimitHit, UnknownEndpoint } from '#shared/domain/errors.ts';
import { TUS_EXTENSIONS, TUS_VERSION } from '#shared/domain/uploads/tus.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import type { Services } from '#shared/runtime/services.ts';

/** What a request gets that no route takes: 404, 405 with the methods that the path has, or the answer to OPTIONS. */
export function answerUnrouted(event: HttpEvent, routes: Route[], maxFileMebibytes: number): HttpReply {
  const methods = methodsOf(event.rawPath, routes);
  if (methods.length === 0) return failure(new UnknownEndpoint());
  const allowed = allowedMethods(methods);
  if (event.requestContext.http.method === 'OPTIONS')
    return preflight(allowed, tusHeaders(event.rawPath, maxFileMebibytes));
  return failure(new MethodNotAllowed(allowed));
}

/** What clients that upload piece by piece ask for before they do. */
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
 * The same, counted for the address that asks: nothing else keeps a caller without an account from asking for ever.
 * Browsers ask by OPTIONS before many a request, hence the larger limit.
 */
export async function answerCounted(
  received: HttpEvent,
  routes: Route[],
  { services, counter }: { services: Services; counter: RequestCounter },
): Promise<HttpReply> {
  const event = throughEntrance(received, services.config.originSecret);
  const subject = addressSubject(event.requestContext.http.sourceIp);
  const quota = await counter.count(services, lightly(subject));
  const { retryAfterSeconds } = quota;
  const isRefused = retryAfterSeconds !== undefined;
  const reply = isRefused
    ? failure(new RateLimitHit(retryAfterSeconds))
    : answerUnrouted(event, routes, services.config.maxFileMebibytes);
  return { ...reply, headers: { ...reply.headers, ...quotaHeaders(quota) } };
}

let routes: Route[] | undefined;
const counter = new RequestCounter();

/** The build puts the list of routes beside the bundle: importing the registry would bring every endpoint along. */
export const handler = async (event: HttpEvent): Promise<HttpReply> => {
  routes ??= JSON.parse(readFileSync(new URL('./routes.json', import.meta.url), 'utf8')) as Route[];
  return answerCounted(event, routes, { services: awsServices(), counter }).catch((failed) => {
    if (failed instanceof DeclaredError) return failure(failed);
    throw failed;
  });
};
