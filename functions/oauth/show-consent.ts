import { readAsked } from '#shared/actions/oauth/asked.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { consentPage } from '#shared/api/consent-page.ts';
import { authorizationRequest } from '#shared/api/contracts/oauth.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { originOf } from '#shared/api/mcp/origin.ts';
import { PageReply, pageOrAddress, Redirect } from '#shared/api/replies.ts';
import { textsForPage } from '#shared/api/texts-for-page.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';

/** The page on which a person lets a program in, or does not; it signs them in first. */
export const showConsent = endpoint({
  route: 'GET /oauth/authorize',
  at: 'root',
  summary: 'Show the request of a program',
  allow: 'anyone',
  closes: true,
  seesRequest: true,
  params: authorizationRequest,
  result: pageOrAddress,
  errors: [BadRequest],
  emits: [],
  uses: { table: 'read', secret: true, outside: true },
  async handle(params, { services, http }) {
    const origin = await originOf(services, http);
    const { client, redirectUri, asked } = await readAsked(services, params, origin);
    if ('refusedTo' in asked) return new Redirect(asked.refusedTo);
    const { name } = await getOrganization(services.table);
    const { scopes } = asked;
    const say = await textsForPage(services, http);
    return new PageReply(
      consentPage({ organization: name, client, redirectUri, scopes, request: params, say }),
    );
  },
});

export const handler = lambda(showConsent, awsServices);
