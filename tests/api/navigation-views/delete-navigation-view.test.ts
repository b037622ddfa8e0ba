// The operations deleteNavigationView and listNavigationViews.
import { describe, expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { addView, alerts, listViews, pathOf } from './view-calls.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

const MISSING = 'Navigation view does not exist.';
const remove = (client: Client, fragment: string) => client.delete(pathOf(fragment));

describe('Removing a navigation view', () => {
  test('Leaves the others, and notifies only the queues of its owner', async () => {
    await addView(ada, alerts);
    await addView(ada, { fragment: 'inbox', is_pinned: true });
    const queues = await listenAll([ada, ada, bo, service.owner]);
    expect((await remove(ada, alerts.fragment)).body).toEqual({ result: 'success', msg: '' });
    expect(await listViews(ada)).toEqual([{ fragment: 'inbox', is_pinned: true }]);
    const { fragment } = alerts;
    const event = { id: expect.any(Number), type: 'navigation_view', op: 'remove', fragment };
    expect(await Promise.all(queues.map((queue) => queue.drain()))).toEqual([[event], [event], [], []]);
  });

  test('Works if slashes of the fragment are in the path unescaped', async () => {
    const cy = await createUser(service, 'Cy');
    await addView(cy, alerts);
    expect((await cy.delete(`/navigation_views/${alerts.fragment}`)).status).toBe(200);
    expect(await listViews(cy)).toEqual([]);
  });

  test('Answers 404 to the second of two requests, also if both come at once', async () => {
    await addView(bo, alerts);
    const replies = await Promise.all([remove(bo, alerts.fragment), remove(bo, alerts.fragment)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
    expectRefusal(await remove(bo, alerts.fragment), MISSING, { status: 404 });
  });

  test('Fails for another user’s, and for a blank fragment', async () => {
    await addView(ada, { ...alerts, fragment: 'mine' });
    for (const client of [bo, service.owner])
      expectRefusal(await remove(client, 'mine'), MISSING, { status: 404 });
    expect(await listViews(ada)).toContainEqual({ ...alerts, fragment: 'mine' });
    expectRefusal(await remove(ada, ' '), 'fragment cannot be blank');
  });

  test('Agrees with the snapshot, for its owner and for others', async () => {
    const cy = await createUser(service, 'Cy');
    await addView(cy, alerts);
    await addView(cy, { fragment: 'inbox', is_pinned: true });
    await expectConsistentSnapshot(service, [service.owner, cy, bo], async () => {
      await remove(cy, 'inbox');
      await remove(cy, alerts.fragment);
      await addView(cy, alerts);
    });
  });
});

test('Each owner lists their own navigation views, in the order of creation', async () => {
  const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
  const views = ['c', 'a', 'b'].map((name) => ({ fragment: `narrow/${name}`, is_pinned: false, name }));
  for (const view of views) await addView(ada, view);
  await addView(bo, alerts);
  expect(await listViews(ada)).toEqual(views);
  expect(await listViews(service.owner)).toEqual([]);
});
