import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { deletionChange } from '#shared/domain/exports/changes.ts';
import { loadAddresses } from '#shared/exports/addresses.ts';
import { commit } from '#shared/log/commit.ts';
import { getExports } from '#shared/store/exports.ts';

/** Deletes the archive of an export; the export stays listed. */
export const deleteExport = endpoint({
  route: 'DELETE /export/realm/{export_id}',
  summary: 'Delete a data export',
  allow: 'administrator',
  params: { export_id: json(z.int(), 'The export') },
  result: nothing,
  errors: [BadRequest],
  emits: ['realm_export'],
  uses: { table: 'write', areas: ['exports'], bus: true },
  async handle({ export_id: exportId }, { services }) {
    const ledger = await getExports(services.table);
    const addressOf = await loadAddresses(services);
    await commit(services, deletionChange(ledger, exportId, services.clock.nowMs(), addressOf));
    return {};
  },
});

export const handler = lambda(deleteExport, awsServices);
