// The operations createSavedSnippet, deleteSavedSnippet, editSavedSnippet and listSavedSnippets.
import { describe, expect, test } from 'vitest';
import { MAX_KILOBYTES } from '#shared/domain/allowance.ts';
import { draftKeys } from '#shared/table/keys/drafts.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, EventQueue, Params, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { createSnippet, findSnippet, greeting, listSnippets, refusedTexts } from './snippet-calls.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);

const expectNone = (reply: Reply) => expectRefusal(reply, 'Saved snippet does not exist.', { status: 404 });

/** Both clients of Ada get the event, and no other user does. */
async function expectForAda(queues: EventQueue[], event: object): Promise<void> {
  const received = await Promise.all(queues.map((queue) => queue.drain()));
  const complete = { id: expect.any(Number), type: 'saved_snippets', ...event };
  expect(received).toEqual([[complete], [complete], [], []]);
}

test('Owners list their saved snippets, the oldest first', proves('create-navigation-view.13'), async () => {
  const ids = [await createSnippet(ada), await createSnippet(ada), await createSnippet(ada)];
  await createSnippet(bo);
  const records = ids.map((id) => ({ id, ...greeting, date_created: expect.any(Number) }));
  expect(await listSnippets(ada)).toEqual(records);
  const { snapshot } = await ada.register({ fetch_event_types: ['saved_snippets'] });
  expect(snapshot.saved_snippets).toEqual(records);
  expect(snapshot).not.toHaveProperty('navigation_views');
});

describe('Saving a snippet', () => {
  test('Stores its texts and the time, and returns its id', async () => {
    const before = Math.floor(Date.now() / 1000);
    const id = await createSnippet(ada, { title: ' Greeting ', content: '  Hello,\n\n    *you*!\n' });
    const { date_created, ...snippet } = await findSnippet(ada, id);
    expect(snippet).toEqual({ id, title: 'Greeting', content: '  Hello,\n\n    *you*!\n' });
    expect(date_created).toBeGreaterThanOrEqual(before);
  });

  test('Notifies the queues of its owner, and no other user', async () => {
    const queues = await listenAll([ada, ada, bo, service.owner]);
    const id = await createSnippet(ada);
    await expectForAda(queues, { op: 'add', saved_snippet: await findSnippet(ada, id) });
  });

  test('Accepts texts of the greatest length', async () => {
    const texts = { title: '🎉'.repeat(60), content: '🎉'.repeat(10_000) };
    expect(await findSnippet(ada, await createSnippet(ada, texts))).toMatchObject(texts);
  });

  test('Agrees with the snapshot, for its owner and for others', async () => {
    await expectConsistentSnapshot(service, [service.owner, ada, bo, guest], async () => {
      for (const client of [ada, ada, guest, service.owner]) await createSnippet(client);
    });
  });

  test.each(refusedTexts)('Refuses a %s of %j', async (name, value, msg) => {
    const before = await listSnippets(ada);
    expectRefusal(await ada.post('/saved_snippets', { ...greeting, [name]: value }), msg);
    expect(await listSnippets(ada)).toEqual(before);
  });

  test('Fails if all snippets of a user fill the quota of register', async () => {
    const cy = await createUser(service, 'Cy');
    const key = draftKeys.snippetAllowance(cy.userId);
    await service.services.table.write({ kind: 'update', key, set: { kilobytes: MAX_KILOBYTES - 2 } });
    const msg = 'There is no room for more saved snippets; delete some.';
    const replies = await Promise.all(Array.from({ length: 4 }, () => cy.post('/saved_snippets', greeting)));
    const kept = replies.filter(({ status }) => status === 200).map(({ body }) => body.saved_snippet_id);
    expect(kept).toHaveLength(2);
    const { write } = await unitsOf(service, async () =>
      expectRefusal(await cy.post('/saved_snippets', greeting), msg),
    );
    expect(write, 'no id is used up').toBe(0);
    const longer = { content: 'x'.repeat(1_000) };
    expectRefusal(await cy.patch(`/saved_snippets/${kept[0]}`, longer), msg);
    await cy.delete(`/saved_snippets/${kept[1]}`);
    expect((await cy.patch(`/saved_snippets/${kept[0]}`, longer)).status).toBe(200);
  });
});

test('A saved snippet costs 8 write units', async () => {
  expect((await unitsOf(service, () => createSnippet(ada))).write).toBe(8);
});

const remove = (client: Client, id: number | string) => client.delete(`/saved_snippets/${id}`);

describe('Deleting a saved snippet', () => {
  test('Leaves the others, and notifies only the queues of its owner', async () => {
    const [first, second] = [await createSnippet(ada), await createSnippet(ada)];
    const queues = await listenAll([ada, ada, bo, service.owner]);
    expect((await remove(ada, first)).body).toEqual({ result: 'success', msg: '' });
    expect(await findSnippet(ada, first)).toBeUndefined();
    expect(await findSnippet(ada, second)).toBeDefined();
    await expectForAda(queues, { op: 'remove', saved_snippet_id: first });
  });

  test('Answers 404 to the second of two requests, also if both come at once', async () => {
    const id = await createSnippet(ada);
    const replies = await Promise.all([remove(ada, id), remove(ada, id)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  test('Fails for another user’s, and for a missing one', async () => {
    const id = await createSnippet(bo);
    for (const client of [ada, service.owner])
      for (const snippetId of [id, 99_999, 0, -1]) expectNone(await remove(client, snippetId));
    expect(await findSnippet(bo, id)).toBeDefined();
  });

  test('Agrees with the snapshot, for its owner and for others', async () => {
    const id = await createSnippet(ada);
    await expectConsistentSnapshot(service, [service.owner, ada, bo], () => remove(ada, id));
  });
});

const edit = (client: Client, id: number | string, params: Params) =>
  client.patch(`/saved_snippets/${id}`, params);

describe('Editing a saved snippet', () => {
  test('Changes the given texts and keeps the rest', async () => {
    const id = await createSnippet(ada);
    const before = await findSnippet(ada, id);
    expect((await edit(ada, id, { title: ' Farewell ' })).body).toEqual({ result: 'success', msg: '' });
    expect(await findSnippet(ada, id)).toEqual({ ...before, title: 'Farewell' });
    await edit(ada, id, { content: 'Bye!' });
    expect(await findSnippet(ada, id)).toEqual({ ...before, title: 'Farewell', content: 'Bye!' });
  });

  test('Notifies the queues of its owner, and no other user', async () => {
    const id = await createSnippet(ada);
    const queues = await listenAll([ada, ada, bo, service.owner]);
    await edit(ada, id, { content: 'Bye!' });
    await expectForAda(queues, { op: 'update', saved_snippet: await findSnippet(ada, id) });
  });

  test('Sends no event if nothing changes', async () => {
    const id = await createSnippet(ada);
    const queue = await ada.listen();
    expect((await edit(ada, id, greeting)).status).toBe(200);
    expect(await queue.drain()).toEqual([]);
  });

  test('Loses none of several edits at once', async () => {
    const id = await createSnippet(ada);
    await expectConsistentSnapshot(service, [ada], () =>
      Promise.all([edit(ada, id, { title: 'New' }), edit(ada, id, { content: 'new' })]),
    );
    expect(await findSnippet(ada, id)).toMatchObject({ title: 'New', content: 'new' });
  });

  test('Fails without a text', async () => {
    expectRefusal(await edit(ada, await createSnippet(ada), {}), 'No new data supplied');
  });

  test('Fails for another user’s, and for a missing one', async () => {
    const id = await createSnippet(bo);
    for (const client of [ada, service.owner])
      for (const snippetId of [id, 99_999, 0, -1, 2 ** 40])
        expectNone(await edit(client, snippetId, { title: 'x' }));
    expect(await findSnippet(bo, id)).toMatchObject(greeting);
  });
});

test('An edit of a saved snippet costs 5 write units, 7 if it becomes much longer', async () => {
  const id = await createSnippet(ada);
  const costOf = async (content: string) => (await unitsOf(service, () => edit(ada, id, { content }))).write;
  expect(await costOf('Bye!')).toBe(5);
  expect(await costOf('x'.repeat(950))).toBeGreaterThan(5);
});
