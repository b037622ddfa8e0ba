import * as z from 'zod/mini';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { emailVisibilities } from '#shared/domain/users/user.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import { listConsentingIds } from '#shared/store/user-settings.ts';
import { listUsers } from '#shared/store/users.ts';

/** Which people agreed that what is private of them is exported, and who sees the address of each. */
export const listExportConsents = endpoint({
  route: 'GET /export/realm/consents',
  summary: 'List consents to data exports',
  allow: 'administrator',
  params: {},
  result: z.object({
    export_consents: z.array(
      z.strictObject({ user_id: z.int(), consented: z.boolean(), email_address_visibility: z.int() }),
    ),
  }),
  errors: [],
  emits: [],
  uses: { table: 'read' },
  async handle(_params, { services }) {
    const people = (await listUsers(services.table)).filter(({ isActive, isBot }) => isActive && !isBot);
    const consenting = await listConsentingIds(services.table, people);
    return {
      export_consents: people.map(({ userId, emailVisibility = emailVisibilities.everyone }) => ({
        user_id: userId,
        consented: consenting.has(userId),
        email_address_visibility: emailVisibility,
      })),
    };
  },
});

export const handler = lambda(listExportConsents, awsServices);
