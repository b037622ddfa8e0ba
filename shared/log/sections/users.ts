import { botRecordsFor } from '#shared/domain/users/bot-record.ts';
import { describeUsers } from '#shared/domain/users/register-data.ts';
import { listUsers } from '#shared/store/users.ts';
import type { Section } from './section.ts';

/** Everybody, and what the caller is. */
export const userSection: Section = async ({ services, request, wants }) => {
  const { caller, filter } = request;
  const users = wants('realm_user') || wants('realm_bot') ? await listUsers(services.table) : [];
  return {
    ...(wants('realm_bot') && { realm_bots: botRecordsFor(caller, users) }),
    ...(wants('realm_user') && describeUsers(caller, users, filter.clientGravatar)),
  };
};
