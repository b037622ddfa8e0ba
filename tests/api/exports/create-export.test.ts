import { beforeEach, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
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
const guest = await service.createUser('Guest', roles.guest);
await service.settle();
beforeEach(() => service.advance(WEEK_MS));

const queueOf = (client: Client) => client.register({ fetch_event_types: ['message'] });

describe('Starting an export', () => {
  test(
    'Returns its id at once, and creates an archive of the data that every member may see',
    proves(
      'list-exports.5',
      'list-exports.6',
      'list-exports.8',
      'list-exports.13',
      'list-exports.18',
      'list-exports.22',
    ),
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
    const [ofOwner, ofAdmin, ofMember, ofGuest] = await Promise.all(
      [owner, admin, member, guest].map((client) => client.listen()),
    );
    const { body } = await owner.post('/export/realm', { export_type: 'public' });
    await service.settle();
    for (const queue of [ofOwner, ofAdmin]) {
      const events = (await queue!.drain()).filter(({ type }) => type === 'realm_export');
      const states = events.map(({ exports }) => exports.at(-1));
      expect(states).toMatchObject([
        { id: body.id, pending: true, export_url: null },
        { id: body.id, pending: false, export_url: expect.stringContaining('/exports/') },
      ]);
      const { body: listed } = await admin.get('/export/realm');
      const withoutAddress = ({ export_url: _address, ...record }: Record<string, unknown>) => record;
      expect(events.at(-1)?.exports.map(withoutAddress)).toEqual(listed.exports.map(withoutAddress));
    }
    for (const queue of [ofMember, ofGuest])
      expect((await queue!.drain()).filter(({ type }) => type === 'realm_export')).toEqual([]);
  });

  test('Ends with a message of the notification bot to the requester', async () => {
    const [asking, other] = [await queueOf(admin), await queueOf(owner)];
    await admin.post('/export/realm');
    await service.settle();
    const messages = (await asking.drain()).filter(({ type }) => type === 'message');
    expect(messages).toMatchObject([
      {
        message: {
          type: 'private',
          sender_full_name: 'Notification Bot',
          content: expect.stringContaining('Your data export is complete.'),
        },
      },
    ]);
    expect((await other.drain()).filter(({ type }) => type === 'message')).toEqual([]);
  });

  test.each(['public', 'full_with_consent'])(
    'Works for every administrator with the type %s',
    proves('list-exports.14', 'list-exports.21'),
    async (type) => {
      const { status, body } = await admin.post('/export/realm', { export_type: type });
      expect(status).toBe(200);
      expect((await exportRecordOf(admin, body.id)).export_type).toBe(type);
      await service.settle();
    },
  );

  test(
    'Requires an owner for the type without consent, if the organization allows it',
    proves('list-exports.14'),
    async () => {
      const everything = { export_type: 'full_without_consent' };
      expectRefusal(await admin.post('/export/realm', everything), 'Must be an organization owner', {
        code: 'UNAUTHORIZED_PRINCIPAL',
      });
      expectRefusal(await owner.post('/export/realm', everything), 'Insufficient permission');
      await owner.patch('/realm', { owner_full_content_access: true });
      expectRefusal(await admin.post('/export/realm', everything), 'Must be an organization owner', {
        code: 'UNAUTHORIZED_PRINCIPAL',
      });
      expect((await owner.post('/export/realm', everything)).status).toBe(200);
      await service.settle();
      await owner.patch('/realm', { owner_full_content_access: false });
    },
  );

  test.each(['full', '', 'PUBLIC', '1', '"public"', 'null', '["public"]'])(
    'Refuses the type %j and changes nothing',
    async (type) => {
      const before = await admin.get('/export/realm');
      expectRefusal(await admin.post('/export/realm', { export_type: type }), 'Invalid export_type');
      expect((await admin.get('/export/realm')).body.exports).toHaveLength(before.body.exports.length);
    },
  );
});

describe('The limit of five exports a week', () => {
  test('Holds for simultaneous requests, and lets the sixth in after a week', async () => {
    const replies = await Promise.all(Array.from({ length: 6 }, () => admin.post('/export/realm')));
    const made = replies.filter(({ status }) => status === 200);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(5);
    const [refused] = replies.filter(({ status }) => status !== 200);
    expectRefusal(refused!, 'Exceeded rate limit.');
    await service.settle();
    for (const { body } of made) expect((await exportRecordOf(admin, body.id)).pending).toBe(false);
    await admin.delete(`/export/realm/${made[0]!.body.id}`);
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
