import { type Authorization, readAuthorization, redirectWith } from '#shared/domain/oauth/authorization.ts';
import { isRedirectOf, type OAuthClient } from '#shared/domain/oauth/client.ts';
import { OAuthError } from '#shared/domain/oauth/errors.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getClient } from './clients.ts';

interface AuthorizationRequest {
  response_type?: string | undefined;
  client_id?: string | undefined;
  redirect_uri?: string | undefined;
  scope?: string | undefined;
  state?: string | undefined;
  code_challenge?: string | undefined;
  code_challenge_method?: string | undefined;
  resource?: string | undefined;
}

/** A request of a known program, whose address for answers is its own. */
export interface AskedOfPerson {
  client: OAuthClient;
  redirectUri: string;
  /** The requested authorization, or the address that reports the reason of the refusal to the program. */
  asked: Authorization | { refusedTo: string };
}

/**
 * Reads a request for a person's consent.
 * @throws OAuthError for an unknown program or an address that it did not register: nobody may be sent there
 */
export async function readAsked(
  services: Services,
  request: AuthorizationRequest,
  origin: string,
): Promise<AskedOfPerson> {
  const client = await getClient(services, request.client_id);
  const { redirect_uri: redirectUri, state } = request;
  if (redirectUri === undefined || !isRedirectOf(client, redirectUri))
    throw new OAuthError('invalid_request', 'The redirect_uri is not one that the client registered.');
  try {
    return { client, redirectUri, asked: readAuthorization(request, origin) };
  } catch (failure) {
    if (!(failure instanceof OAuthError)) throw failure;
    const answer = { error: failure.error, error_description: failure.message, state, iss: origin };
    return { client, redirectUri, asked: { refusedTo: redirectWith(redirectUri, answer) } };
  }
}
