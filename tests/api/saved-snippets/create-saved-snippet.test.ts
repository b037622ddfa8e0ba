import { describe, expect, test } from 'vitest';
import { MAX_KILOBYTES } from '#shared/domain/allowance.ts';
import { draftKeys } from '#shared/table/keys/drafts.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { createSnippet, findSnippet, greeting, listSnippets, refusedTexts } from './snippet-calls.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);

describe('Saving a snippet', () => {
  test('Stores its texts and the time, and returns its id', async () => {
    const before = Math.floor(Date.now() / 1000);
    const id = await createSnippet(ada, { title: ' Greeting ', content: '  Hello,\n\n    *you*!\n' });
    expect(await findSnippet(ada, id)).toEqual({
      id,
      title: 'Greeting',
      content: '  Hello,\n\n    *you*!\n',
      date_created: expect.any(Number),
    });
    expect((await findSnippet(ada, id)).date_created).toBeGreaterThanOrEqual(before);
  });

  test('Notifies the queues of its owner, and no other user', async () => {
    const queues = await Promise.all([ada, ada, bo, service.owner].map((client) => client.listen()));
    const id = await createSnippet(ada);
    const snippet = await findSnippet(ada, id);
    const event = { id: expect.any(Number), type: 'saved_snippets', op: 'add', saved_snippet: snippet };
    expect(await Promise.all(queues.map((queue) => queue.drain()))).toEqual([[event], [event], [], []]);
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
    service.meter.reset();
    expectRefusal(await cy.post('/saved_snippets', greeting), msg);
    expect(service.meter.write, 'no id is used up').toBe(0);
    const longer = { content: 'x'.repeat(1_000) };
    expectRefusal(await cy.patch(`/saved_snippets/${kept[0]}`, longer), msg);
    await cy.delete(`/saved_snippets/${kept[1]}`);
    expect((await cy.patch(`/saved_snippets/${kept[0]}`, longer)).status).toBe(200);
  });
});

test('A saved snippet costs 8 write units', async () => {
  service.meter.reset();
  await createSnippet(ada);
  expect(service.meter.write).toBe(8);
});
