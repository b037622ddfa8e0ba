import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { emailVisibilities } from '#shared/domain/users/user.ts';
import { listConsentingIds } from '#shared/store/users/user-settings.ts';
import { listUsers } from '#shared/store/users/users.ts';

/** Which people consent to the export of their private data, and their e-mail visibility. */
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
    // Eventually consistent: administrators get changes as events, and an export reads again.
    const consenting = await listConsentingIds(services.table, people, { eventually: true });
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
