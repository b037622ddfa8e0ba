import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { failure } from '#shared/api/envelope.ts';
import type { HttpEvent, HttpReply } from '#shared/api/http.ts';
import type { HttpHandler } from '#shared/api/lambda.ts';
import { DeclaredError } from '#shared/domain/errors.ts';

import { devFetchApiKey } from './dev-fetch-api-key.ts';
import { devListUsers } from './dev-list-users.ts';
import { hostNameOf, isLoopbackAddress, isLoopbackName } from './gateway/own-names.ts';
import { StartFailure } from './start-failure.ts';

/** The call comes from another machine, or may come from a page of another site. */
class NotFromHere extends DeclaredError {
  readonly status = 403;
  readonly code = 'BAD_REQUEST';
  constructor() {
    super('Only programs and pages of this machine may call this operation');
  }
}

/** The operations of `DEV_KEYS=true`, which require no password. */
export const devEndpoints = { devFetchApiKey, devListUsers } satisfies Record<string, AnyEndpoint>;

/** @throws StartFailure if others than this machine reach the service, or if it has another public address */
export function requireLoopback(host: string, publicUrl?: string): void {
  const names = [hostNameOf(host) ?? '', ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname])];
  if (!names.every(isLoopbackName))
    throw new StartFailure(
      'DEV_KEYS=true gives the key of every account without a password, so HOST must be an address of this machine, such as 127.0.0.1.',
    );
}

/**
 * Lets operations of `DEV_KEYS` answer programs and own pages on this machine only. A page of another site can
 * send a form here, and can make its own host name lead here.
 */
export const guardDevEndpoint = (operation: string, handle: HttpHandler): HttpHandler => {
  if (!(operation in devEndpoints)) return handle;
  return async (event) => {
    const reply = mayUse(event) ? await handle(event) : failure(new NotFromHere());
    return forOwnPages(reply);
  };
};

function mayUse({ headers, requestContext }: HttpEvent): boolean {
  const host = headers.host ?? '';
  const site = headers['sec-fetch-site'];
  return (
    isLoopbackAddress(requestContext.http.sourceIp) &&
    headers['x-forwarded-for'] === undefined &&
    headers.forwarded === undefined &&
    isLoopbackName(hostNameOf(host) ?? '') &&
    (headers.origin === undefined || headers.origin === `http://${host}`) &&
    (site === undefined || site === 'none' || site === 'same-origin')
  );
}

function forOwnPages(reply: HttpReply): HttpReply {
  const { 'Access-Control-Allow-Origin': _, ...headers } = reply.headers;
  return { ...reply, headers };
}
