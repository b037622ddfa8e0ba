// The operations listExports and listExportConsents.
import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { proves } from '#tests/conformance/proves.ts';
import { exportRecordOf } from '#tests/harness/archive.ts';
import type { Client, EventQueue } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { startExport } from './export-worker.ts';

const WEEK_MS = 7 * 24 * 3600 * 1000;

const service = await startTestService();
const { owner } = service;
const admin = await service.createUser('Admin', roles.administrator);
const member = await service.createUser('Member');
await service.settle();

const make = (client: Client, type?: string): Promise<number> => {
  service.advance(WEEK_MS);
  return startExport(client, type);
};

describe('The list of exports', () => {
  test('Starts empty', proves('list-exports.1'), async () => {
    expect((await admin.get('/export/realm')).body).toEqual({ result: 'success', msg: '', exports: [] });
  });

  const records = proves(
    'list-exports.1',
    'list-exports.4',
    'list-exports.5',
    'list-exports.7',
    'list-exports.8',
    'list-exports.13',
    'list-exports.14',
    'list-exports.17',
    'list-exports.18',
  );
  test('Has every export, the oldest first, whoever requested it', records, async () => {
    const ids = [await make(admin), await make(owner, 'full_with_consent')];
    await service.settle();
    const { exports } = (await admin.get('/export/realm')).body;
    const local = { export_from_prior_server: false };
    expect(exports).toMatchObject([
      { id: ids[0], acting_user_id: admin.userId, export_type: 'public', ...local },
      { id: ids[1], acting_user_id: owner.userId, export_type: 'full_with_consent', ...local },
    ]);
    expect(exports[0].export_time).toBeLessThan(exports[1].export_time);
  });

  const states = proves(
    'list-exports.9',
    'list-exports.10',
    'list-exports.11',
    'list-exports.12',
    'list-exports.15',
    'list-exports.19',
    'list-exports.20',
  );
  test('Shows exports in progress, ready ones, and deleted ones with their time', states, async () => {
    const id = await make(admin);
    expect(await exportRecordOf(admin, id)).toMatchObject({ pending: true, export_url: null });
    await service.settle();
    expect(await exportRecordOf(admin, id)).toMatchObject({
      pending: false,
      export_url: expect.stringMatching(/^http/),
      deleted_timestamp: null,
      failed_timestamp: null,
    });
    await admin.delete(`/export/realm/${id}`);
    const deleted = await exportRecordOf(admin, id);
    expect(deleted).toMatchObject({ pending: false, export_url: null, failed_timestamp: null });
    expect(deleted.deleted_timestamp).toBeCloseTo(service.services.clock.nowMs() / 1000, -1);
  });

  test('Requires an administrator', proves('list-exports.2'), async () => {
    const refused = await member.get('/export/realm');
    expectRefusal(refused, 'Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' });
    expect((await owner.get('/export/realm')).status).toBe(200);
  });

  test('Ignores all parameters, and lists the ignored ones', proves('list-exports.3'), async () => {
    const { body } = await admin.get('/export/realm', { export_type: 'public' });
    expect(body.ignored_parameters_unsupported).toEqual(['export_type']);
  });

  test('Shows the address of an export without consent to owners only', async () => {
    await owner.patch('/realm', { owner_full_content_access: true });
    service.advance(WEEK_MS);
    const event_types = ['realm_export'];
    const [ofAdmin, ofOwner] = [await admin.listen({ event_types }), await owner.listen({ event_types })];
    const id = await startExport(owner, 'full_without_consent');
    await service.settle();
    expect(await exportRecordOf(owner, id)).toMatchObject({ export_url: expect.any(String) });
    expect(await exportRecordOf(admin, id)).toMatchObject({ pending: false, export_url: null });
    const addressesIn = async (queue: EventQueue) =>
      (await queue.drain()).map(({ exports }) => exports.at(-1).export_url);
    expect(new Set(await addressesIn(ofAdmin))).toEqual(new Set([null]));
    expect((await addressesIn(ofOwner)).at(-1)).toMatch(/\/exports\//);
  });

  test('Costs two read units beside the check of the caller', async () => {
    await admin.get('/export/realm');
    service.meter.reset();
    await admin.get('/export/realm');
    expect(service.meter.read).toBeLessThanOrEqual(3);
    expect(service.meter.write).toBe(0);
  });
});

const gone = await service.createUser('Gone');
await gone.patch('/settings', { allow_private_data_export: true });
await service.deactivate(gone);

describe('The list of consents', () => {
  test('Has every active person with their consent and the visibility of their address', async () => {
    const list = async () => (await admin.get('/export/realm/consents')).body.export_consents;
    const everyone = (consented: boolean, visibility: number) =>
      [service.owner, admin, member].map(({ userId }) => ({
        user_id: userId,
        consented: userId === member.userId && consented,
        email_address_visibility: userId === member.userId ? visibility : 1,
      }));
    expect(await list()).toEqual(everyone(false, 1));
    await member.patch('/settings', { allow_private_data_export: true, email_address_visibility: 3 });
    expect(await list()).toEqual(everyone(true, 3));
    await member.patch('/settings', { allow_private_data_export: false });
    expect(await list()).toEqual(everyone(false, 3));
  });

  test('Costs half a read unit for each person (a recent consent comes by an event)', async () => {
    const costOf = async () => {
      await service.settle();
      service.meter.reset();
      expect((await admin.get('/export/realm/consents')).status).toBe(200);
      return service.meter.read;
    };
    const before = await costOf();
    for (const name of ['One', 'Two', 'Three', 'Four']) await service.createUser(name);
    expect((await costOf()) - before).toBe(4 * 0.5);
  });
});
