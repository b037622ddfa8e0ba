// The operations listDrafts and deleteDraft.
import { describe, expect, test } from 'vitest';
import { draftKeys, draftPartitions } from '#shared/table/keys/drafts.ts';
import type { Client } from '#tests/harness/client.ts';
import { interrupt, reads } from '#tests/harness/interruption.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import {
  createDraft,
  createDrafts,
  editDraft,
  expectNoDraft,
  findDraft,
  listDrafts,
  registeredDrafts,
  removeDraft,
  toPeople,
  unaddressed,
} from './draft-calls.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

const DISABLED = 'User has disabled synchronizing drafts.';
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
    expectRefusal(await cy.get('/drafts'), DISABLED);
    for (const drafts of [[], [unaddressed]]) expectRefusal(await cy.post('/drafts', { drafts }), DISABLED);
    for (const draftId of [id, 99_999]) {
      expectRefusal(await editDraft(cy, draftId, unaddressed), DISABLED);
      expectRefusal(await removeDraft(cy, draftId), DISABLED);
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
    expectNoDraft(await editDraft(cy, old, unaddressed));
    const fresh = await createDraft(cy);
    await service.settle();
    expect(await listDrafts(cy)).toMatchObject([{ id: fresh }]);
    expect((await storedDrafts(cy)).flatMap(({ kilobytes }) => kilobytes ?? [])).toEqual([1]);
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
    const setDefault = (enable_drafts_synchronization: boolean) =>
      service.owner.patch('/realm/user_settings_defaults', { enable_drafts_synchronization });
    await setDefault(false);
    expectRefusal(await (await createUser(service, 'Cy')).get('/drafts'), DISABLED);
    await setDefault(true);
  });

  test('Gets no draft whose creation began before', async () => {
    const cy = await createUser(service, 'Cy');
    const queue = await cy.listen();
    const counting = { find: reads(draftKeys.draftAllowance(cy.userId)) };
    interrupt(service, counting, () => synchronize(cy, false));
    expectRefusal(await cy.post('/drafts', { drafts: [unaddressed] }), DISABLED);
    await service.settle();
    expect((await queue.drain()).map(({ type }) => type)).toEqual(['user_settings']);
    expect(await storedDrafts(cy)).toHaveLength(1);
  });

  test.each([
    ['created', () => createDraft],
    ['edited', (id: number) => (cy: Client) => editDraft(cy, id, unaddressed)],
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

describe('Deleting a draft', () => {
  test('Leaves the other drafts, and sends an event to the queues of its author only', async () => {
    const [first, second] = [await createDraft(ada), await createDraft(ada)];
    const queues = await listenAll([ada, ada, bo, service.owner]);
    await removeDraft(ada, first);
    expect(await findDraft(ada, first)).toBeUndefined();
    expect(await findDraft(ada, second)).toBeDefined();
    const event = { id: expect.any(Number), type: 'drafts', op: 'remove', draft_id: first };
    expect(await Promise.all(queues.map((queue) => queue.drain()))).toEqual([[event], [event], [], []]);
  });

  test('Answers 404 to the second of two requests, also if both come at once', async () => {
    const id = await createDraft(ada);
    const replies = await Promise.all([removeDraft(ada, id), removeDraft(ada, id)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
    expectNoDraft(await removeDraft(ada, id));
  });

  test('Refuses drafts of other users, and ids that do not exist', async () => {
    const id = await createDraft(bo);
    for (const draftId of [id, 99_999, 0, -1, 2 ** 40]) expectNoDraft(await removeDraft(ada, draftId));
    expect(await findDraft(bo, id)).toBeDefined();
  });

  test('Leaves no draft if it is edited at the same time', async () => {
    const id = await createDraft(ada);
    await expectConsistentSnapshot(service, [ada], async () => {
      const draft = { ...unaddressed, content: 'new' };
      const [edited, removed] = await Promise.all([editDraft(ada, id, draft), removeDraft(ada, id)]);
      expect(removed.status).toBe(200);
      expect([200, 404]).toContain(edited.status);
    });
    expect(await findDraft(ada, id)).toBeUndefined();
  });
});

test('Deleting a draft costs 7 write units', async () => {
  const id = await createDraft(ada);
  service.meter.reset();
  await removeDraft(ada, id);
  expect(service.meter.write).toBe(7);
});
