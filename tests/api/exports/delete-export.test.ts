// The operations deleteExport and downloadExport.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { roles } from '#shared/domain/users/user.ts';
import { getExports } from '#shared/store/exports.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { proves } from '#tests/conformance/proves.ts';
import { downloadArchive, exportRecordOf } from '#tests/harness/archive.ts';
import { interrupt, reads } from '#tests/harness/interruption.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { startExport } from './export-worker.ts';

const DAY_MS = 24 * 3600 * 1000;

const service = await startTestService();
const admin = await service.createUser('Admin', roles.administrator);
const member = await service.createUser('Member');
await service.settle();
beforeEach(() => service.advance(7 * DAY_MS));

const { owner } = service;
const DELETED = { deleted_timestamp: expect.any(Number), export_url: null };
const make = async (client = admin, type?: string): Promise<number> => {
  const id = await startExport(client, type);
  await service.settle();
  return id;
};
const remove = (id: number) => admin.delete(`/export/realm/${id}`);
const fileOf = async (id: number): Promise<string> => {
  const { exports } = await getExports(service.services.table);
  return exports.find(({ exportId }) => exportId === id)?.file ?? '';
};

describe('Deleting an export', () => {
  test('Deletes its archive permanently; it stays in the list', proves('list-exports.20'), async () => {
    const id = await make();
    const { export_url: address } = await exportRecordOf(admin, id);
    const file = await fileOf(id);
    expect(await service.services.files.find(file)).toBeDefined();
    expect((await remove(id)).status).toBe(200);
    await service.settle();
    expect(await service.services.files.find(file)).toBeUndefined();
    expect((await fetch(address)).status).toBe(404);
    expect(await exportRecordOf(admin, id)).toMatchObject(DELETED);
  });

  test('Notifies administrators, and changes no snapshot', async () => {
    const id = await make();
    const [ofAdmin, ofMember] = [await owner.listen(), await member.listen()];
    await expectConsistentSnapshot(service, [owner, admin, member], () => remove(id));
    const [event, ...more] = await ofAdmin.drain();
    expect([event?.type, more]).toEqual(['realm_export', []]);
    expect(event?.exports).toContainEqual(expect.objectContaining({ id, export_url: null }));
    expect(await ofMember.drain()).toEqual([]);
  });

  test.each([
    ['loses the role', roles.owner, roles.administrator, false],
    ['becomes one', roles.administrator, roles.owner, true],
  ])('Shows addresses for owners to a person who %s right before: %o', async (_what, from, to, isShown) => {
    await owner.patch('/realm', { owner_full_content_access: true });
    await make(owner, 'full_without_consent');
    const id = await make();
    const person = await service.createUser('Person', from);
    const events = await person.listen({ event_types: ['realm_export'] });
    const turn = () => owner.patch(`/users/${person.userId}`, { role: to });
    const turned = interrupt(service, { increment: reads(organizationKeys.counter('log')) }, turn);
    await owner.delete(`/export/realm/${id}`);
    expect(turned.hasHappened()).toBe(true);
    const shown = (await events.drain())
      .flatMap(({ exports }) => exports)
      .filter((record) => record.export_type === 'full_without_consent' && record.export_url !== null);
    expect(shown.length > 0).toBe(isShown);
  });

  test('Refuses an export that is missing, deleted or in progress', async () => {
    const id = await make();
    expectRefusal(await remove(id + 1), 'Invalid data export ID');
    await remove(id);
    expectRefusal(await remove(id), 'Export already deleted');
    expectRefusal(await remove(await startExport(admin)), 'Export still in progress');
    await service.settle();
  });
});

test('An archive is deleted after 90 days', async () => {
  const id = await make();
  const file = await fileOf(id);
  service.advance(89 * DAY_MS);
  await sweep(service.services);
  // The archives of earlier tests are deleted now; their jobs would be a day late after the next jump.
  await service.settle();
  expect((await exportRecordOf(admin, id)).export_url).toEqual(expect.any(String));
  service.advance(DAY_MS);
  await sweep(service.services);
  await service.settle();
  expect(await exportRecordOf(admin, id)).toMatchObject(DELETED);
  expect(await service.services.files.find(file)).toBeUndefined();
});

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;

describe('The address of an export', () => {
  let ids: number[];
  let address: string;
  /** The address that an administrator gets now. */
  const addressOf = async (id = 0): Promise<string> => (await exportRecordOf(owner, id)).export_url;
  beforeAll(async () => {
    ids = [await make(), await make(owner, 'full_with_consent')];
  });
  beforeEach(async () => {
    address = await addressOf(ids[0]);
  });

  test('Leads every holder to the archive, without credentials', async () => {
    const archive = await downloadArchive(address);
    expect(archive.manifest.export_type).toBe('public');
    const reply = await fetch(address, { redirect: 'manual' });
    expect(reply.status).toBe(302);
    expect(reply.headers.get('cache-control')).toContain('no-cache');
  });

  test('Leads to a URL that expires after five minutes', async () => {
    const place = (await fetch(address, { redirect: 'manual' })).headers.get('location') ?? '';
    service.advance(290_000);
    expect(await statusOf(place)).toBe(200);
    service.advance(11_000);
    expect(await statusOf(place)).toBe(404);
  });

  test('Expires after a week', async () => {
    service.advance(7 * DAY_MS - 60_000);
    expect(await statusOf(address)).toBe(200);
    service.advance(120_000);
    expect(await statusOf(address)).toBe(404);
    const fresh = await addressOf(ids[0]);
    expect(fresh).not.toBe(address);
    expect(await statusOf(fresh)).toBe(200);
  });

  test('Cannot be forged, prolonged or used for another export', async () => {
    const key = address.slice(address.lastIndexOf('/') + 1);
    const [until = '', signature = ''] = key.split(/-(.*)/s);
    const rootOf = (url: string) => url.slice(0, url.lastIndexOf('/'));
    const root = rootOf(address);
    const forgeries = [
      `${root}/${Number(until) + 1}-${signature}`,
      `${root}/${until}-${signature.slice(0, -1)}`,
      `${root}/${until}`,
      `${root}/-${signature}`,
      `${root}/${until}-`,
      `${root}/99999999999999999999-${signature}`,
      `${rootOf(await addressOf(ids[1]))}/${key}`,
      `${service.url}/exports/999/${key}`,
    ];
    for (const url of forgeries) expect(await statusOf(url), url).toBe(404);
    expect(await statusOf(`${service.url}/exports/x/${key}`)).toBe(400);
    expect(await statusOf(address)).toBe(200);
  });
});
