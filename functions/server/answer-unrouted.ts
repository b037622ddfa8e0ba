import { readFileSync } from 'node:fs';
import type { Method, Route } from '#shared/api/endpoint.ts';
import { failure, preflight } from '#shared/api/envelope.ts';
import type { HttpEvent, HttpReply } from '#shared/api/http.ts';
import { matchSegments } from '#shared/api/route.ts';
import { MethodNotAllowed, UnknownEndpoint } from '#shared/domain/errors.ts';

/** What a request gets that no route takes: 404, 405 with the methods that the path has, or the answer to OPTIONS. */
export function answerUnrouted(event: HttpEvent, routes: Route[]): HttpReply {
  const methods = methodsOf(event.rawPath, routes);
  if (methods.length === 0) return failure(new UnknownEndpoint());
  const allowed = [...new Set([...methods, 'OPTIONS', ...(methods.includes('GET') ? ['HEAD'] : [])])].sort();
  if (event.requestContext.http.method === 'OPTIONS') return preflight(allowed);
  return failure(new MethodNotAllowed(allowed));
}

function methodsOf(path: string, routes: Route[]): Method[] {
  const segments = path.split('/').slice(1);
  return routes.flatMap((route) => {
    const [method, pattern = ''] = route.split(' ') as [Method, string];
    return matchSegments(pattern.split('/').slice(1), segments) ? [method] : [];
  });
}

let routes: Route[] | undefined;

/** The build puts the list of routes beside the bundle: importing the registry would bring every endpoint along. */
export const handler = async (event: HttpEvent): Promise<HttpReply> => {
  routes ??= JSON.parse(readFileSync(new URL('./routes.json', import.meta.url), 'utf8')) as Route[];
  return answerUnrouted(event, routes);
};
