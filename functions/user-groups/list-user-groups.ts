import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { userGroupRecord } from '#shared/api/contracts/user-groups.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, withDefault } from '#shared/api/parameters.ts';
import { UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { describeGroups } from '#shared/snapshot/describe-groups.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { listUsers } from '#shared/store/users/users.ts';

/** All user groups, system groups first. */
export const listUserGroups = endpoint({
  route: 'GET /user_groups',
  summary: 'List the user groups',
  allow: 'member',
  scope: 'read',
  params: {
    include_deactivated_groups: withDefault(json(z.boolean(), 'Deactivated groups as well'), false),
  },
  result: z.object({ user_groups: z.array(userGroupRecord) }),
  errors: [UnauthorizedPrincipal],
  emits: [],
  uses: { table: 'read' },
  async handle(params, { services }) {
    const includesDeactivated = params.include_deactivated_groups;
    return {
      user_groups: await describeGroups(services, {
        includesDeactivated,
        users: () => listUsers(services.table),
        organization: () => getOrganization(services.table),
      }),
    };
  },
});

export const handler = lambda(listUserGroups, awsServices);
