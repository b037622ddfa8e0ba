import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { logoParameters, readLogo } from '#shared/api/logo-parameters.ts';
import { Redirect, redirect } from '#shared/api/replies.ts';
import { organizationPictureUrl } from '#shared/domain/organization/pictures.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import { getOrganization } from '#shared/store/organization.ts';

/** Leads to a logo of the organization, which shows itself to everybody. */
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
