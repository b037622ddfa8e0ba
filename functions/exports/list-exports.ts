import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { exportRecord } from '#shared/api/contracts/exports.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { toExportRecord } from '#shared/domain/exports/export.ts';
import { loadAddressesFor } from '#shared/exports/addresses.ts';
import { getExports } from '#shared/store/exports.ts';

/** All exports, oldest first, with the addresses of available archives. */
export const listExports = endpoint({
  route: 'GET /export/realm',
  summary: 'List data exports',
  allow: 'administrator',
  params: {},
  result: z.object({ exports: z.array(exportRecord) }),
  errors: [],
  emits: [],
  uses: { table: 'read', areas: ['exports'] },
  async handle(_params, { services, caller }) {
    const [{ exports }, addressOf] = await Promise.all([
      getExports(services.table),
      loadAddressesFor(services, caller),
    ]);
    return { exports: exports.map((dataExport) => toExportRecord(dataExport, addressOf)) };
  },
});

export const handler = lambda(listExports, awsServices);
