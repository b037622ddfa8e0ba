import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { Redirect, redirect } from '#shared/api/replies.ts';
import { organizationPictureUrl } from '#shared/domain/organization/pictures.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';

/** Redirects to the organization's icon, which is public. */
export const getOrganizationIcon = endpoint({
  route: 'GET /realm/icon',
  summary: 'Get the icon of the organization',
  allow: 'anyone',
  isLight: true,
  params: {},
  result: redirect,
  errors: [],
  emits: [],
  uses: { table: 'read' },
  async handle(_params, { services }) {
    return new Redirect(organizationPictureUrl(await getOrganization(services.table), 'icon'));
  },
});

export const handler = lambda(getOrganizationIcon, awsServices);
