import { removeOrganizationPicture } from '#shared/actions/pictures/organization-pictures.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { logoParameters, readLogo } from '#shared/api/contracts/organization-logo.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { nothing } from '#shared/api/schemas.ts';
import { UnauthorizedPrincipal } from '#shared/domain/errors.ts';

/** Deletes a logo of the organization, which resets it to the default. */
export const deleteOrganizationLogo = endpoint({
  route: 'DELETE /realm/logo',
  summary: 'Delete a logo of the organization',
  allow: 'administrator',
  params: logoParameters,
  result: nothing,
  errors: [UnauthorizedPrincipal],
  emits: ['realm/update_dict'],
  uses: { table: 'write', files: 'write', folders: ['pictures'] },
  async handle(params, { services }) {
    await removeOrganizationPicture(services, readLogo(params));
    return {};
  },
});

export const handler = lambda(deleteOrganizationLogo, awsServices);
