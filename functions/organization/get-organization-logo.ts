import { awsServices } from '#shared/adapters/aws-services.ts';
import { logoParameters, readLogo } from '#shared/api/contracts/organization-logo.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { Redirect, redirect } from '#shared/api/replies.ts';
import { organizationPictureUrl } from '#shared/domain/organization/pictures.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';

/** Redirects to a logo of the organization, which is public. */
export const getOrganizationLogo = endpoint({
  route: 'GET /realm/logo',
  summary: 'Get a logo of the organization',
  allow: 'anyone',
  isLight: true,
  params: logoParameters,
  result: redirect,
  errors: [],
  emits: [],
  uses: { table: 'read' },
  async handle(params, { services }) {
    return new Redirect(organizationPictureUrl(await getOrganization(services.table), readLogo(params)));
  },
});

export const handler = lambda(getOrganizationLogo, awsServices);
