import { describe, expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { createDraft, createDrafts, findDraft, listDrafts, unaddressed } from './draft-calls.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

const remove = (client: Client, id: number | string) => client.delete(`/drafts/${id}`);

describe('Deleting a draft', () => {
  test('Leaves the other drafts, and sends an event to the queues of its author only', async () => {
    const [first, second] = (await createDrafts(ada, unaddressed, unaddressed)) as [number, number];
    const queues = await Promise.all([ada, ada, bo, service.owner].map((client) => client.listen()));
    expect((await remove(ada, first)).body).toEqual({ result: 'success', msg: '' });
    expect(await listDrafts(ada)).toMatchObject([{ id: second }]);
    const event = { id: expect.any(Number), type: 'drafts', op: 'remove', draft_id: first };
    expect(await Promise.all(queues.map((queue) => queue.drain()))).toEqual([[event], [event], [], []]);
  });

  test('Answers 404 to the second of two requests, also if both come at once', async () => {
    const id = await createDraft(ada);
    const replies = await Promise.all([remove(ada, id), remove(ada, id)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
    expectRefusal(await remove(ada, id), 'Draft does not exist', { status: 404 });
  });

  test('Refuses drafts of other users, and ids that do not exist', async () => {
    const id = await createDraft(bo);
    for (const draftId of [id, 99_999, 0, -1, 2 ** 40])
      expectRefusal(await remove(ada, draftId), 'Draft does not exist', { status: 404 });
    expect(await findDraft(bo, id)).toBeDefined();
  });

  test('Leaves no draft if it is edited at the same time', async () => {
    const id = await createDraft(ada);
    await expectConsistentSnapshot(service, [ada], async () => {
      const draft = { ...unaddressed, content: 'new' };
      const [edited, removed] = await Promise.all([ada.patch(`/drafts/${id}`, { draft }), remove(ada, id)]);
      expect(removed.status).toBe(200);
      expect([200, 404]).toContain(edited.status);
    });
    expect(await findDraft(ada, id)).toBeUndefined();
  });
});

test('Deleting a draft costs 7 write units', async () => {
  const id = await createDraft(ada);
  service.meter.reset();
  await remove(ada, id);
  expect(service.meter.write).toBe(7);
});
