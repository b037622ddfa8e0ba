import { describe, expect, test } from 'vitest';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { createSnippet, findSnippet, greeting } from './snippet-calls.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

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
    const queues = await Promise.all([ada, ada, bo, service.owner].map((client) => client.listen()));
    await edit(ada, id, { content: 'Bye!' });
    const snippet = await findSnippet(ada, id);
    const event = { id: expect.any(Number), type: 'saved_snippets', op: 'update', saved_snippet: snippet };
    expect(await Promise.all(queues.map((queue) => queue.drain()))).toEqual([[event], [event], [], []]);
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
        expectRefusal(await edit(client, snippetId, { title: 'x' }), 'Saved snippet does not exist.', {
          status: 404,
        });
    expect(await findSnippet(bo, id)).toMatchObject(greeting);
  });
});

test('An edit of a saved snippet costs 5 write units, 7 if it becomes much longer', async () => {
  const id = await createSnippet(ada);
  service.meter.reset();
  await edit(ada, id, { content: 'Bye!' });
  expect(service.meter.write).toBe(5);
  service.meter.reset();
  await edit(ada, id, { content: 'x'.repeat(950) });
  expect(service.meter.write).toBeGreaterThan(5);
});
