import * as z from 'zod/mini';
import { endpoint } from '#shared/api/endpoint.ts';
import { isAdministrator } from '#shared/domain/users/user.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { listUsers } from '#shared/store/users/users.ts';

const listed = z.array(z.strictObject({ email: z.string(), realm_url: z.string() }));

/** Lists the people whose API keys `POST /dev_fetch_api_key` gives: administrators, and all others. */
export const devListUsers = endpoint({
  route: 'GET /dev_list_users',
  summary: 'List the accounts of people (local service only)',
  allow: 'anyone',
  params: {},
  result: z.strictObject({ direct_admins: listed, direct_users: listed }),
  errors: [],
  emits: [],
  uses: { table: 'read' },
  async handle(_params, { services: { table } }) {
    const [{ url }, users] = await Promise.all([getOrganization(table), listUsers(table)]);
    const people = users.filter(({ isBot, isActive }) => isActive && !isBot);
    const describe = (isWanted: boolean) =>
      people
        .filter((person) => isAdministrator(person) === isWanted)
        .map(({ email }) => ({ email, realm_url: url }));
    return { direct_admins: describe(true), direct_users: describe(false) };
  },
});
