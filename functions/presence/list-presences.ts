import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { legacyPresences } from '#shared/api/contracts/presence.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { DEFAULT_HISTORY_DAYS } from '#shared/domain/presence/list.ts';
import { byAddress, readPresences } from '#shared/snapshot/describe-presences.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { listUsers } from '#shared/store/users/users.ts';

/** The presences of the last two weeks. */
export const listPresences = endpoint({
  route: 'GET /realm/presence',
  summary: 'Get the presence of all users',
  allow: 'user',
  scope: 'read',
  params: {},
  result: z.object({ presences: legacyPresences, server_timestamp: z.number() }),
  errors: [],
  emits: [],
  uses: { table: 'read' },
  async handle(_params, { services, caller }) {
    const { presences, server_timestamp } = await readPresences(services, {
      viewer: caller,
      historyDays: DEFAULT_HISTORY_DAYS,
      lastUpdateId: -1,
      organization: () => getOrganization(services.table),
    });
    return { presences: await byAddress(presences, () => listUsers(services.table)), server_timestamp };
  },
});

export const handler = lambda(listPresences, awsServices);
