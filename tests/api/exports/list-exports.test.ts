import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { proves } from '#tests/conformance/proves.ts';
import { exportRecordOf } from '#tests/harness/archive.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';

const WEEK_MS = 7 * 24 * 3600 * 1000;

const service = await startTestService();
const owner = service.owner;
const admin = await service.createUser('Admin', roles.administrator);
const member = await service.createUser('Member');
await service.settle();

const make = async (client: Client, type = 'public'): Promise<number> => {
  service.advance(WEEK_MS);
  const { status, body } = await client.post('/export/realm', { export_type: type });
  expect(status).toBe(200);
  return body.id;
};

describe('The list of exports', () => {
  test('Starts empty', proves('list-exports.1'), async () => {
    expect((await admin.get('/export/realm')).body).toEqual({ result: 'success', msg: '', exports: [] });
  });

  test(
    'Has every export, the oldest first, whoever requested it',
    proves(
      'list-exports.1',
      'list-exports.4',
      'list-exports.5',
      'list-exports.7',
      'list-exports.8',
      'list-exports.13',
      'list-exports.14',
      'list-exports.17',
      'list-exports.18',
    ),
    async () => {
      const made = [await make(admin), await make(owner, 'full_with_consent')];
      await service.settle();
      const { body } = await admin.get('/export/realm');
      expect(body.exports).toMatchObject([
        { id: made[0], acting_user_id: admin.userId, export_type: 'public' },
        { id: made[1], acting_user_id: owner.userId, export_type: 'full_with_consent' },
      ]);
      expect(body.exports[0].export_time).toBeLessThan(body.exports[1].export_time);
      for (const { export_from_prior_server: isFromPriorServer } of body.exports)
        expect(isFromPriorServer).toBe(false);
    },
  );

  test(
    'Shows exports in progress, ready ones, and deleted ones with their time',
    proves(
      'list-exports.9',
      'list-exports.10',
      'list-exports.11',
      'list-exports.12',
      'list-exports.15',
      'list-exports.19',
      'list-exports.20',
    ),
    async () => {
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
    },
  );

  test('Requires an administrator', proves('list-exports.2'), async () => {
    expectRefusal(await member.get('/export/realm'), 'Must be an organization administrator', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    expect((await owner.get('/export/realm')).status).toBe(200);
  });

  test('Ignores all parameters, and lists the ignored ones', proves('list-exports.3'), async () => {
    const { body } = await admin.get('/export/realm', { export_type: 'public' });
    expect(body.ignored_parameters_unsupported).toEqual(['export_type']);
  });

  test('Shows the address of an export without consent to owners only', async () => {
    await owner.patch('/realm', { owner_full_content_access: true });
    service.advance(WEEK_MS);
    const [queue, ofOwner] = [await admin.listen(), await owner.listen()];
    const { id } = (await owner.post('/export/realm', { export_type: 'full_without_consent' })).body;
    await service.settle();
    expect(await exportRecordOf(owner, id)).toMatchObject({ export_url: expect.any(String) });
    expect(await exportRecordOf(admin, id)).toMatchObject({ pending: false, export_url: null });
    const addressesIn = async (events: typeof queue) =>
      (await events.drain())
        .filter(({ type }) => type === 'realm_export')
        .map(({ exports }) => exports.at(-1).export_url);
    expect(new Set(await addressesIn(queue))).toEqual(new Set([null]));
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
