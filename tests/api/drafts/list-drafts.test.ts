import { describe, expect, test } from 'vitest';
import { draftKeys, draftPartitions } from '#shared/table/keys/drafts.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import {
  createDraft,
  createDrafts,
  listDrafts,
  registeredDrafts,
  toPeople,
  unaddressed,
} from './draft-calls.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

const synchronize = async (client: Client, enable_drafts_synchronization: boolean): Promise<void> => {
  const { status } = await client.patch('/settings', { enable_drafts_synchronization });
  expect(status).toBe(200);
};
const storedDrafts = ({ userId }: Client) =>
  service.services.table.list({ partition: draftPartitions.draftsOf(userId), consistent: true });

describe('The list of drafts', () => {
  test('Has the drafts of the caller, the earliest edit first, and their number', async () => {
    const ids = await createDrafts(ada, ...[5, 9, 1, 9].map((timestamp) => ({ ...unaddressed, timestamp })));
    await createDraft(bo);
    const { body } = await ada.get('/drafts');
    expect(body).toMatchObject({ result: 'success', count: 4 });
    expect(body.drafts.map(({ id }: { id: number }) => ids.indexOf(id))).toEqual([2, 0, 1, 3]);
  });

  test('Costs one read unit for 4 KB of drafts, and two for the caller and their settings', async () => {
    const cy = await createUser(service, 'Cy');
    await createDrafts(cy, ...Array(20).fill(unaddressed));
    service.meter.reset();
    await listDrafts(cy);
    expect(service.meter.write).toBe(0);
    expect(service.meter.read).toBeLessThanOrEqual(4);
  });
});

describe('A user who turned off synchronizing drafts', () => {
  test('Cannot list, create, edit or delete any', async () => {
    const cy = await createUser(service, 'Cy');
    const id = await createDraft(cy);
    await synchronize(cy, false);
    const msg = 'User has disabled synchronizing drafts.';
    expectRefusal(await cy.get('/drafts'), msg);
    for (const drafts of [[], [unaddressed]]) expectRefusal(await cy.post('/drafts', { drafts }), msg);
    for (const draftId of [id, 99_999]) {
      expectRefusal(await cy.patch(`/drafts/${draftId}`, { draft: unaddressed }), msg);
      expectRefusal(await cy.delete(`/drafts/${draftId}`), msg);
    }
    expect(await registeredDrafts(cy)).toEqual([]);
  });

  test('Loses the stored drafts without a deletion event, since clients keep theirs', async () => {
    const cy = await createUser(service, 'Cy');
    await createDrafts(cy, ...Array(80).fill(unaddressed));
    await createDrafts(cy, ...Array(20).fill(toPeople([ada.userId])));
    const queue = await cy.listen();
    await synchronize(cy, false);
    expect(await queue.drain()).toMatchObject([
      { type: 'user_settings', property: 'enable_drafts_synchronization', value: false },
    ]);
    await service.settle();
    expect(await storedDrafts(cy)).toHaveLength(1);
    expect(await queue.drain()).toEqual([]);
  });

  test('Starts without drafts and with the full quota after turning it on again', async () => {
    const cy = await createUser(service, 'Cy');
    const old = await createDraft(cy);
    await synchronize(cy, false);
    await synchronize(cy, true);
    expect(await listDrafts(cy)).toEqual([]);
    expectRefusal(await cy.patch(`/drafts/${old}`, { draft: unaddressed }), 'Draft does not exist', {
      status: 404,
    });
    const fresh = await createDraft(cy);
    await service.settle();
    expect(await listDrafts(cy)).toMatchObject([{ id: fresh }]);
    expect((await storedDrafts(cy)).find(({ kilobytes }) => kilobytes !== undefined)).toMatchObject({
      kilobytes: 1,
    });
  });

  test('Gets the same in the snapshot as from events', async () => {
    const cy = await createUser(service, 'Cy');
    await createDraft(cy);
    await expectConsistentSnapshot(service, [cy, service.owner], () => synchronize(cy, false));
    await expectConsistentSnapshot(service, [cy, ada], async () => {
      await synchronize(cy, true);
      await createDraft(cy);
      await synchronize(cy, false);
      await synchronize(cy, true);
      await createDraft(cy);
    });
  });

  test('May be every new user, if that is the default of the organization', async () => {
    await service.owner.patch('/realm/user_settings_defaults', { enable_drafts_synchronization: false });
    const cy = await createUser(service, 'Cy');
    expectRefusal(await cy.get('/drafts'), 'User has disabled synchronizing drafts.');
    await service.owner.patch('/realm/user_settings_defaults', { enable_drafts_synchronization: true });
  });

  test('Gets no draft whose creation began before', async () => {
    const cy = await createUser(service, 'Cy');
    const { table } = service.services;
    const { sk } = draftKeys.draftAllowance(cy.userId);
    const queue = await cy.listen();
    const find = table.find;
    table.find = async (key, options) => {
      if (key.sk === sk) {
        table.find = find;
        await synchronize(cy, false);
      }
      return find.call(table, key, options);
    };
    expectRefusal(
      await cy.post('/drafts', { drafts: [unaddressed] }),
      'User has disabled synchronizing drafts.',
    );
    await service.settle();
    expect((await queue.drain()).map(({ type }) => type)).toEqual(['user_settings']);
    expect(await storedDrafts(cy)).toHaveLength(1);
  });

  test.each([
    ['created', () => createDraft],
    ['edited', (id: number) => (cy: Client) => cy.patch(`/drafts/${id}`, { draft: unaddressed })],
  ])('Gets no event of a draft that is %s while synchronization ends', async (_what, actOn) => {
    const cy = await createUser(service, 'Cy');
    const act = actOn(await createDraft(cy));
    const { table } = service.services;
    await expectConsistentSnapshot(service, [cy], async () => {
      const { transact } = table;
      // The place in the log is taken, and nothing is written yet.
      table.transact = async (...ending) => {
        table.transact = transact;
        await act(cy);
        await transact.apply(table, ending);
      };
      await synchronize(cy, false);
    });
    await service.settle();
    expect(await storedDrafts(cy)).toHaveLength(1);
  });
});
