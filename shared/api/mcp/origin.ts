import { tokenScopes } from '#shared/domain/api-tokens/api-token.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganizationUrl } from '#shared/store/organization/organization.ts';
import type { HttpEvent, HttpReply } from '../http.ts';

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * The address of the service for programs: that of the organization. The host of a request may be that of a proxy or a
 * distribution, or the choice of a stranger. Only a service on its user's machine has all names of loopback.
 */
export async function originOf({ table }: Services, http: HttpEvent | undefined): Promise<string> {
  const url = URL.parse(await getOrganizationUrl(table));
  const reached = http && reachedOrigin(http);
  if (!url) return reached ?? '';
  const isLocal = LOOPBACK.test(url.hostname) && LOOPBACK.test(URL.parse(reached ?? '')?.hostname ?? '');
  return isLocal && reached !== undefined ? reached : url.origin;
}

function reachedOrigin({ headers, requestContext }: HttpEvent): string {
  const protocol = headers['x-forwarded-proto'] === 'http' ? 'http' : 'https';
  return `${protocol}://${requestContext.domainName}`;
}

/** Whether a page of another site sent the request; programs send no origin. */
export async function isForeignOrigin(services: Services, http: HttpEvent): Promise<boolean> {
  const { origin } = http.headers;
  return (
    origin !== undefined && origin !== reachedOrigin(http) && origin !== (await originOf(services, http))
  );
}

/** Refers an agent to the server that issues its tokens (RFC 9728). */
export async function challengeForAgents(
  services: Services,
  http: HttpEvent,
  reply: HttpReply,
): Promise<HttpReply> {
  const metadata = `${await originOf(services, http)}/.well-known/oauth-protected-resource/mcp`;
  const challenge = `Bearer resource_metadata="${metadata}", scope="${tokenScopes.join(' ')}"`;
  return { ...reply, headers: { ...reply.headers, 'WWW-Authenticate': challenge } };
}
