import { removeOrganizationPicture } from '#shared/actions/pictures/organization-pictures.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { nothing } from '#shared/api/schemas.ts';
import { UnauthorizedPrincipal } from '#shared/domain/errors.ts';

/** Deletes the organization's icon, which resets it to the default. */
export const deleteOrganizationIcon = endpoint({
  route: 'DELETE /realm/icon',
  summary: 'Delete the icon of the organization',
  allow: 'administrator',
  params: {},
  result: nothing,
  errors: [UnauthorizedPrincipal],
  emits: ['realm/update_dict'],
  uses: { table: 'write', files: 'write', folders: ['pictures'] },
  async handle(_params, { services }) {
    await removeOrganizationPicture(services, 'icon');
    return {};
  },
});

export const handler = lambda(deleteOrganizationIcon, awsServices);
