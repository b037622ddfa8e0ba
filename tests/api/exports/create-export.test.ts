import { beforeEach, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { proves } from '#tests/conformance/proves.ts';
import { exportRecordOf } from '#tests/harness/archive.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { drainMessages, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { startExport } from './export-worker.ts';

const WEEK_MS = 7 * 24 * 3600 * 1000;

const service = await startTestService();
const { owner } = service;
const admin = await service.createUser('Admin', roles.administrator);
const member = await service.createUser('Member');
const guest = await service.createUser('Guest', roles.guest);
await service.settle();
beforeEach(() => service.advance(WEEK_MS));

const exportsOf = async (client: Client) => (await client.get('/export/realm')).body.exports;

describe('Starting an export', () => {
  const fields = proves(
    'list-exports.5',
    'list-exports.6',
    'list-exports.8',
    'list-exports.13',
    'list-exports.18',
    'list-exports.22',
  );
  test(
    'Returns its id at once, and creates an archive of the data that every member may see',
    fields,
    async () => {
      const { status, body } = await admin.post('/export/realm');
      expect(status).toBe(200);
      expect(body).toEqual({ result: 'success', msg: '', id: expect.any(Number) });
      await service.settle();
      const record = await exportRecordOf(admin, body.id);
      expect(record).toEqual({
        id: body.id,
        acting_user_id: admin.userId,
        export_time: expect.any(Number),
        deleted_timestamp: null,
        failed_timestamp: null,
        export_url: expect.stringContaining(`${service.url}/exports/${body.id}/`),
        pending: false,
        export_from_prior_server: false,
        export_type: 'public',
      });
      expect(Math.abs(record.export_time - service.services.clock.nowMs() / 1000)).toBeLessThan(60);
    },
  );

  test('Sends administrators the whole list at its start and end, and other users nothing', async () => {
    const event_types = ['realm_export'];
    const clients = [owner, admin, member, guest];
    const queues = await listenAll(clients, { event_types });
    const id = await startExport(owner);
    await service.settle();
    const [ofOwner = [], ofAdmin = [], ...others] = await Promise.all(queues.map((queue) => queue.drain()));
    const withoutAddress = ({ export_url: _address, ...record }: Record<string, unknown>) => record;
    const list = (await exportsOf(admin)).map(withoutAddress);
    for (const events of [ofOwner, ofAdmin]) {
      expect(events.map(({ exports }) => exports.at(-1))).toMatchObject([
        { id, pending: true, export_url: null },
        { id, pending: false, export_url: expect.stringContaining('/exports/') },
      ]);
      expect(events.at(-1)?.exports.map(withoutAddress)).toEqual(list);
    }
    expect(others).toEqual([[], []]);
  });

  test('Ends with a message of the notification bot to the requester', async () => {
    const [ofAdmin, ofOwner] = [await admin.listen(), await owner.listen()];
    await startExport(admin);
    await service.settle();
    const content = expect.stringContaining('Your data export is complete.');
    const notice = { type: 'private', sender_full_name: 'Notification Bot', content };
    expect(await drainMessages(ofAdmin)).toMatchObject([notice]);
    expect(await drainMessages(ofOwner)).toEqual([]);
  });

  const types = proves('list-exports.14', 'list-exports.21');
  test.each(['public', 'full_with_consent'])('Allows administrators the type %s', types, async (type) => {
    const id = await startExport(admin, type);
    expect((await exportRecordOf(admin, id)).export_type).toBe(type);
    await service.settle();
  });

  test('Requires an owner for the type without consent', proves('list-exports.14'), async () => {
    const begin = (client: Client) => client.post('/export/realm', { export_type: 'full_without_consent' });
    const ownerOnly = ['Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' }] as const;
    expectRefusal(await begin(admin), ...ownerOnly);
    expectRefusal(await begin(owner), 'Insufficient permission');
    await owner.patch('/realm', { owner_full_content_access: true });
    expectRefusal(await begin(admin), ...ownerOnly);
    expect((await begin(owner)).status).toBe(200);
    await service.settle();
    await owner.patch('/realm', { owner_full_content_access: false });
  });

  const others = ['full', '', 'PUBLIC', '1', '"public"', 'null', '["public"]'];
  test.each(others)('Refuses the type %j and changes nothing', async (export_type) => {
    const before = await exportsOf(admin);
    expectRefusal(await admin.post('/export/realm', { export_type }), 'Invalid export_type');
    expect(await exportsOf(admin)).toHaveLength(before.length);
  });
});

describe('The limit of five exports a week', () => {
  test('Holds for simultaneous requests, and lets the sixth in after a week', async () => {
    const replies = await Promise.all(Array.from({ length: 6 }, () => admin.post('/export/realm')));
    const ids = replies.flatMap(({ status, body }) => (status === 200 ? [body.id] : []));
    expect(new Set(ids).size).toBe(5);
    const [refused] = replies.filter(({ status }) => status !== 200);
    expectRefusal(refused!, 'Exceeded rate limit.');
    await service.settle();
    for (const id of ids) expect((await exportRecordOf(admin, id)).pending).toBe(false);
    await admin.delete(`/export/realm/${ids[0]}`);
    expectRefusal(await owner.post('/export/realm'), 'Exceeded rate limit.');
    service.advance(WEEK_MS);
    expect((await owner.post('/export/realm')).status).toBe(200);
    await service.settle();
  });
});

describe('An organization that is too large', () => {
  test.each([
    ['user', 'id', 25_001],
    ['log', 'position', 10_000_001],
  ] as const)('Gets no export because of its %ss', async (counter, attribute, size) => {
    const { table } = service.services;
    const key = organizationKeys.counter(counter);
    const before = Number((await table.find(key))?.[attribute]);
    await table.write({ kind: 'update', key, set: { [attribute]: size } });
    const refused = await admin.post('/export/realm');
    await table.write({ kind: 'update', key, set: { [attribute]: before } });
    expectRefusal(refused, 'This organization is too large to be exported.');
  });
});
