import { createHash, timingSafeEqual } from 'node:crypto';
import { NotFound } from '#shared/domain/errors.ts';
import type { Services } from '#shared/runtime/services.ts';
import type { HttpEvent } from './http.ts';

/** With this header the distribution proves that a request came through it. */
export const SECRET_HEADER = 'x-origin-secret';
/** The distribution writes the viewer's address here, and overwrites any value that a viewer sends. */
export const VIEWER_HEADER = 'x-viewer-address';

/** The secret of the proxy before the service, if there is one. */
export const originSecretOf = async ({ config, originSecret }: Services): Promise<string | undefined> =>
  config.originSecret ?? (await originSecret?.());

/**
 * The request as its viewer sent it. Behind a distribution, the gateway sees the distribution's address; the
 * viewer's address is in a header that is trusted only together with the distribution's secret.
 * @throws NotFound for a request that bypassed the distribution
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

const isSame = (input: string, secret: string): boolean => timingSafeEqual(digest(input), digest(secret));
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
