import { describe, expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { createSnippet, findSnippet, listSnippets } from './snippet-calls.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

const remove = (client: Client, id: number | string) => client.delete(`/saved_snippets/${id}`);

describe('Deleting a saved snippet', () => {
  test('Leaves the others, and notifies only the queues of its owner', async () => {
    const [first, second] = [await createSnippet(ada), await createSnippet(ada)];
    const queues = await Promise.all([ada, ada, bo, service.owner].map((client) => client.listen()));
    expect((await remove(ada, first)).body).toEqual({ result: 'success', msg: '' });
    expect(await listSnippets(ada)).toMatchObject([{ id: second }]);
    const event = { id: expect.any(Number), type: 'saved_snippets', op: 'remove', saved_snippet_id: first };
    expect(await Promise.all(queues.map((queue) => queue.drain()))).toEqual([[event], [event], [], []]);
  });

  test('Answers 404 to the second of two requests, also if both come at once', async () => {
    const id = await createSnippet(ada);
    const replies = await Promise.all([remove(ada, id), remove(ada, id)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  test('Fails for another user’s, and for a missing one', async () => {
    const id = await createSnippet(bo);
    for (const client of [ada, service.owner])
      for (const snippetId of [id, 99_999, 0, -1])
        expectRefusal(await remove(client, snippetId), 'Saved snippet does not exist.', { status: 404 });
    expect(await findSnippet(bo, id)).toBeDefined();
  });

  test('Agrees with the snapshot, for its owner and for others', async () => {
    const id = await createSnippet(ada);
    await expectConsistentSnapshot(service, [service.owner, ada, bo], () => remove(ada, id));
  });
});
