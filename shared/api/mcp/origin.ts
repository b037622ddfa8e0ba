import { tokenScopes } from '#shared/domain/api-tokens/api-token.ts';
import type { HttpEvent, HttpReply } from '../http.ts';

/** The address of the service, as the caller reached it. */
export function originOf({ headers, requestContext }: HttpEvent): string {
  const protocol = headers['x-forwarded-proto'] === 'http' ? 'http' : 'https';
  return `${protocol}://${requestContext.domainName}`;
}

/** Whether a page of another site sent the request; programs send no origin. */
export const isForeignOrigin = (http: HttpEvent): boolean => {
  const { origin } = http.headers;
  return origin !== undefined && origin !== originOf(http);
};

/** Tells an agent where it gets a token (RFC 9728). */
export function challengeForAgents(http: HttpEvent, reply: HttpReply): HttpReply {
  const metadata = `${originOf(http)}/.well-known/oauth-protected-resource/mcp`;
  const challenge = `Bearer resource_metadata="${metadata}", scope="${tokenScopes.join(' ')}"`;
  return { ...reply, headers: { ...reply.headers, 'WWW-Authenticate': challenge } };
}
