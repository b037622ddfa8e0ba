import { botRecordsFor } from '#shared/domain/users/bot-record.ts';
import { describeUsers } from '#shared/domain/users/register-data.ts';
import type { Section } from './section.ts';

/** Everybody, and what the caller is. */
export const userSection: Section = async ({ request, wants, users }) => {
  const { caller, filter } = request;
  return {
    ...(wants('realm_bot') && { realm_bots: botRecordsFor(caller, await users()) }),
    ...(wants('realm_user') && describeUsers(caller, await users(), filter.clientGravatar)),
  };
};
