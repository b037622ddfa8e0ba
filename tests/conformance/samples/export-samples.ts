import type { endpoints } from '#functions/routes.ts';
import { getExports } from '#shared/store/exports.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { World } from '#tests/conformance/world.ts';
import type { Params } from '#tests/harness/client.ts';

type Samples = Partial<Record<keyof typeof endpoints, (world: World) => Params | Promise<Params>>>;

const EIGHT_DAYS_MS = 8 * 24 * 3600 * 1000;

/** Few exports a week are allowed: earlier ones are dated back. */
async function makeRoomForExports({ service }: World): Promise<void> {
  await service.settle();
  const { table } = service.services;
  const ledger = await getExports(table);
  const exports = ledger.exports.map((one) => ({ ...one, requestedAtMs: one.requestedAtMs - EIGHT_DAYS_MS }));
  await table.write({ kind: 'put', item: { ...organizationKeys.exports(), ...ledger, exports } });
}

/** The oldest export that is there to be had, or a new one. */
async function exportOf(world: World): Promise<{ id: number; export_url: string }> {
  const [found] = await listReady(world);
  if (found) return found;
  await makeRoomForExports(world);
  await world.caller.post('/export/realm');
  await world.service.settle();
  const [made] = await listReady(world);
  return made!;
}

async function listReady({ caller }: World): Promise<{ id: number; export_url: string }[]> {
  const { body } = await caller.get('/export/realm');
  return body.exports.filter(({ export_url }: { export_url: string | null }) => export_url !== null);
}

export const exportSamples = {
  createExport: async (world) => {
    await makeRoomForExports(world);
    return { export_type: 'full_with_consent' };
  },
  deleteExport: async (world) => ({ export_id: (await exportOf(world)).id }),
  downloadExport: async (world) => {
    const { id, export_url: address } = await exportOf(world);
    return { export_id: id, key: address.slice(address.lastIndexOf('/') + 1) };
  },
  listExportConsents: () => ({}),
  listExports: () => ({}),
} satisfies Samples;
