import { setOrganizationPicture } from '#shared/actions/pictures/organization-pictures.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { logoParameters, readLogo } from '#shared/api/contracts/organization-logo.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { MAX_UPLOAD_MEBIBYTES } from '#shared/api/files/uploads.ts';
import { lambda } from '#shared/api/lambda.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadImage, UnauthorizedPrincipal } from '#shared/domain/errors.ts';

/** Replaces a logo of the organization. */
export const uploadOrganizationLogo = endpoint({
  route: 'POST /realm/logo',
  summary: 'Upload a logo of the organization',
  allow: 'administrator',
  params: logoParameters,
  files: { count: 1, countError: 'You must upload exactly one logo.', maxMebibytes: MAX_UPLOAD_MEBIBYTES },
  result: nothing,
  errors: [BadImage, UnauthorizedPrincipal],
  emits: ['realm/update_dict'],
  uses: { table: 'write', files: 'write', folders: ['pictures'], images: true },
  memoryMegabytes: 1769,
  async handle(params, { services, files: [file] }) {
    await setOrganizationPicture(services, readLogo(params), file?.bytes ?? new Uint8Array());
    return {};
  },
});

export const handler = lambda(uploadOrganizationLogo, awsServices);
