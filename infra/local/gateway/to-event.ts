import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { HttpEvent } from '#shared/api/http.ts';
import type { Match } from '#shared/api/route.ts';
import { BadRequest } from '#shared/domain/errors.ts';

/** The target of a request. */
export interface Target {
  rawPath: string;
  rawQueryString: string;
}

/** The gateway's findings about a request. */
export interface Received {
  target: Target;
  body: Buffer;
  match: Match | undefined;
  clientAddress: string;
  /** The protocol of the public address; without one the protocol named by a proxy, or HTTP. */
  protocol?: string | undefined;
}

/** The media types whose bodies API Gateway passes as text; all others, including forms, are base64. */
const TEXT_TYPES = /^(text\/|application\/(json|xml|javascript)\b)/i;

/** Splits the request target, which may be an absolute address when it comes through a proxy. */
export function readTarget(requestTarget: string): Target {
  const path = requestTarget.replace(/^https?:\/\/[^/?]*/i, '');
  const [rawPath = '', ...query] = path.split('?');
  return { rawPath: rawPath || '/', rawQueryString: query.join('?') };
}

/** The decoded segments of a path. @throws BadRequest for invalid percent-encoding */
export function readSegments(rawPath: string): string[] {
  try {
    return rawPath.slice(1).split('/').map(decodeURIComponent);
  } catch {
    throw new BadRequest('The path is not correctly encoded');
  }
}

/** The event with which API Gateway (HTTP API, payload format 2.0) would invoke a Lambda function. */
export function toEvent(
  request: IncomingMessage,
  { target: { rawPath, rawQueryString }, body, match, protocol, clientAddress }: Received,
): HttpEvent {
  const { cookie, ...headers } = joinHeaders(request);
  const isText = TEXT_TYPES.test(headers['content-type'] ?? '');
  return {
    version: '2.0',
    routeKey: match?.route ?? '$default',
    rawPath,
    rawQueryString,
    headers: { 'x-forwarded-proto': 'http', ...headers, ...(protocol && { 'x-forwarded-proto': protocol }) },
    ...(cookie && { cookies: cookie.split(';').map((part) => part.trim()) }),
    ...(match && Object.keys(match.pathParameters).length > 0 && { pathParameters: match.pathParameters }),
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
    requestContext: {
      requestId: randomUUID(),
      domainName: headers.host ?? '',
      http: {
        method: request.method ?? '',
        path: rawPath,
        sourceIp: clientAddress,
      },
    },
  };
}

function joinHeaders({ headersDistinct }: IncomingMessage): Record<string, string | undefined> {
  const headers: Record<string, string | undefined> = {};
  for (const name in headersDistinct) headers[name] = headersDistinct[name]?.join(',');
  return headers;
}
