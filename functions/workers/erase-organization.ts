import { eraseOrganization } from '#shared/actions/organization/erase-organization.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';

/** The notice says nothing that the table does not. */
export const handler = (): Promise<void> => eraseOrganization(awsServices());
