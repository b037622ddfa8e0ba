import { setOrganizationPicture } from '#shared/actions/pictures/organization-pictures.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { MAX_UPLOAD_MEBIBYTES } from '#shared/api/files/uploads.ts';
import { lambda } from '#shared/api/lambda.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadImage, UnauthorizedPrincipal } from '#shared/domain/errors.ts';

/** Replaces the organization's icon. */
export const uploadOrganizationIcon = endpoint({
  route: 'POST /realm/icon',
  summary: 'Upload the icon of the organization',
  allow: 'administrator',
  params: {},
  files: { count: 1, countError: 'You must upload exactly one icon.', maxMebibytes: MAX_UPLOAD_MEBIBYTES },
  result: nothing,
  errors: [BadImage, UnauthorizedPrincipal],
  emits: ['realm/update_dict'],
  uses: { table: 'write', files: 'write', folders: ['pictures'], images: true },
  memoryMegabytes: 1769,
  async handle(_params, { services, files: [file] }) {
    await setOrganizationPicture(services, 'icon', file?.bytes ?? new Uint8Array());
    return {};
  },
});

export const handler = lambda(uploadOrganizationIcon, awsServices);
