import type { endpoints } from '#functions/routes.ts';
import { getExports } from '#shared/store/exports.ts';
import { keys } from '#shared/table/keys.ts';
import type { Params } from '#tests/harness/client.ts';
import type { World } from './world.ts';

type Samples = Partial<Record<keyof typeof endpoints, (world: World) => Params | Promise<Params>>>;

const EIGHT_DAYS_MS = 8 * 24 * 3600 * 1000;

/** There may be few exports a week: those that were made count as older. */
async function makeRoomForExports({ service }: World): Promise<void> {
  await service.settle();
  const { table } = service.services;
  const ledger = await getExports(table);
  const exports = ledger.exports.map((one) => ({ ...one, requestedAtMs: one.requestedAtMs - EIGHT_DAYS_MS }));
  await table.write({ kind: 'put', item: { ...keys.exports(), ...ledger, exports } });
}

async function exportOf(world: World): Promise<number> {
  await makeRoomForExports(world);
  const { body } = await world.caller.post('/export/realm');
  await world.service.settle();
  return body.id;
}

export const exportSamples = {
  createExport: async (world) => {
    await makeRoomForExports(world);
    return { export_type: 'full_with_consent' };
  },
  deleteExport: async (world) => ({ export_id: await exportOf(world) }),
  downloadExport: async (world) => {
    const exportId = await exportOf(world);
    const { body } = await world.caller.get('/export/realm');
    const { export_url: address } = body.exports.find(({ id }: { id: number }) => id === exportId);
    return { export_id: exportId, key: address.slice(address.lastIndexOf('/') + 1) };
  },
  listExportConsents: () => ({}),
  listExports: () => ({}),
} satisfies Samples;
