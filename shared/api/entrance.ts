import { createHash, timingSafeEqual } from 'node:crypto';
import { NotFound } from '#shared/domain/errors.ts';
import type { HttpEvent } from './http.ts';

/** By this header the distribution proves that a request came through it. */
export const SECRET_HEADER = 'x-origin-secret';
/** In this one it says who asks; whatever a viewer writes there it overwrites. */
export const VIEWER_HEADER = 'x-viewer-address';

/**
 * A request as it came from its viewer. Where a distribution stands before the API, the gateway sees the address of the
 * distribution, and the viewer's is in a header, which counts for nothing without the secret of the distribution.
 * @throws NotFound for a request that went past the distribution
 */
export function throughEntrance(event: HttpEvent, originSecret: string | undefined): HttpEvent {
  if (originSecret === undefined) return event;
  const { [SECRET_HEADER]: secret, [VIEWER_HEADER]: viewer, ...headers } = event.headers;
  if (!viewer || !isSame(secret ?? '', originSecret))
    throw new NotFound('This service is reached by another address');
  const { requestContext } = event;
  const http = { ...requestContext.http, sourceIp: viewer };
  return { ...event, headers, requestContext: { ...requestContext, http } };
}

const isSame = (given: string, secret: string): boolean => timingSafeEqual(digest(given), digest(secret));
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
