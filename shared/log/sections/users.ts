import { describeUsers } from '#shared/domain/users/register-data.ts';
import { listUsers } from '#shared/store/users.ts';
import type { Section } from './section.ts';

/** Everybody, and what the caller is. */
export const userSection: Section = async ({ services, request, wants }) => {
  const { caller, filter } = request;
  return {
    ...(wants('realm_user') && describeUsers(caller, await listUsers(services.table), filter.clientGravatar)),
  };
};
