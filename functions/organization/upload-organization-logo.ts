import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { logoParameters, readLogo } from '#shared/api/logo-parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { MAX_UPLOAD_MEBIBYTES } from '#shared/api/uploads.ts';
import { BadImage, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { setOrganizationPicture } from '#shared/log/organization-pictures.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';

/** Gives the organization another logo. */
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
