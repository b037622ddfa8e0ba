import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text, withDefault } from '#shared/api/parameters.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { requestChange, requireExportable, requireMayExport } from '#shared/domain/exports/changes.ts';
import { type ExportType, exportTypes } from '#shared/domain/exports/export.ts';
import { loadAddresses } from '#shared/exports/addresses.ts';
import { commitWithAnswer } from '#shared/log/commit.ts';
import { getExports, readSize } from '#shared/store/exports.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';

/** Requests an archive of the organization's data, which a worker creates. */
export const createExport = endpoint({
  route: 'POST /export/realm',
  summary: 'Create a data export',
  allow: 'administrator',
  creates: true,
  params: {
    export_type: withDefault(
      text(
        z.enum(exportTypes),
        'The content: public data, also private data of users who agreed, or everything (owners only)',
      ),
      'public' as ExportType,
    ),
  },
  result: z.object({ id: z.int() }),
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['realm_export'],
  uses: { table: 'write', areas: ['exports'], bus: true },
  async handle({ export_type: type }, { services, caller, retry }) {
    const [{ settings }, size, ledger] = await Promise.all([
      getOrganization(services.table),
      readSize(services.table),
      getExports(services.table),
    ]);
    requireMayExport(caller, type, settings);
    requireExportable(size);
    const request = {
      actorId: caller.userId,
      type,
      requestedAtMs: services.clock.nowMs(),
      addressKey: services.ids.uuid(),
    };
    const { exportId, ...change } = requestChange(ledger, request, await loadAddresses(services));
    return commitWithAnswer(services, retry, change, { id: exportId });
  },
});

export const handler = lambda(createExport, awsServices);
