import { beforeEach, describe, expect, test } from 'vitest';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { addView, alerts, fragments, listViews, pathOf } from './view-calls.ts';

let ada: Client;
const service = await startTestService();
const bo = await createUser(service, 'Bo');
beforeEach(async () => {
  ada = await createUser(service, 'Ada');
  await addView(ada, alerts);
  await addView(ada, { fragment: 'inbox', is_pinned: true });
});

const edit = (client: Client, fragment: string, params: Params) => client.patch(pathOf(fragment), params);
const edited = [
  { ...alerts, is_pinned: false, name: 'Words' },
  { fragment: 'inbox', is_pinned: false },
];

describe('Editing a navigation view', () => {
  test('Changes the given fields and keeps the rest, and its place among the others', async () => {
    const { body } = await edit(ada, alerts.fragment, { is_pinned: false });
    expect(body).toEqual({ result: 'success', msg: '' });
    await edit(ada, alerts.fragment, { name: ' Words ' });
    await edit(ada, 'inbox', { is_pinned: false });
    expect(await listViews(ada)).toEqual(edited);
  });

  test('Notifies only the queues of its owner, with the changed fields', async () => {
    const queues = await listenAll([ada, ada, bo, service.owner]);
    await edit(ada, alerts.fragment, { is_pinned: false, name: alerts.name });
    await edit(ada, alerts.fragment, { is_pinned: false, name: 'Words' });
    const { fragment } = alerts;
    const event = { id: expect.any(Number), type: 'navigation_view', op: 'update', fragment };
    const events = [
      { ...event, data: { is_pinned: false } },
      { ...event, data: { name: 'Words' } },
    ];
    expect(await Promise.all(queues.map((queue) => queue.drain()))).toEqual([events, events, [], []]);
  });

  test.each([{}, { is_pinned: true }, alerts])('Sends no event for %j', async (params) => {
    const queue = await ada.listen();
    expect((await edit(ada, alerts.fragment, params)).status).toBe(200);
    expect(await queue.drain()).toEqual([]);
  });

  test.each(fragments)(
    'Finds the fragment %s and none that is similar',
    proves('create-navigation-view.8'),
    async (fragment) => {
      for (const [index, other] of fragments.entries())
        await addView(bo, { fragment: other, is_pinned: true, name: `${index}` });
      expect((await edit(bo, fragment, { is_pinned: false })).status).toBe(200);
      const changed = (await listViews(bo)).filter(({ is_pinned }: { is_pinned: boolean }) => !is_pinned);
      expect(changed).toMatchObject([{ fragment }]);
      for (const other of fragments) expect((await bo.delete(pathOf(other))).status).toBe(200);
    },
  );

  test('Loses none of several edits at once', async () => {
    await expectConsistentSnapshot(service, [ada], () =>
      Promise.all([
        edit(ada, alerts.fragment, { is_pinned: false }),
        edit(ada, alerts.fragment, { name: 'Words' }),
        edit(ada, 'inbox', { is_pinned: false }),
      ]),
    );
    expect(await listViews(ada)).toEqual(edited);
  });
});

describe('An edit of a navigation view is refused if', () => {
  async function refuse(fragment: string, params: Params, msg: string, refusal = {}): Promise<void> {
    const before = await listViews(ada);
    expectRefusal(await edit(ada, fragment, params), msg, refusal);
    expect(await listViews(ada)).toEqual(before);
  }

  test('There is no such view, or it is another user’s', async () => {
    await addView(bo, { fragment: 'narrow/is/followed', is_pinned: true, name: 'Followed' });
    const msg = 'Navigation view does not exist.';
    for (const fragment of ['narrow/is/followed', 'narrow/is', 'Inbox', 'recent', 'null'])
      await refuse(fragment, { is_pinned: true }, msg, { status: 404 });
  });

  test('A built-in view gets a name, or a custom one loses its own', async () => {
    await refuse('inbox', { name: 'Mine' }, 'Built-in views cannot have a custom name.');
    for (const name of [null, '', '  '])
      await refuse(alerts.fragment, { name }, 'Custom views must have a valid name.');
  });

  test('Another view has the name', async () => {
    await addView(ada, { fragment: 'other', is_pinned: true, name: 'Other' });
    await refuse('other', { name: alerts.name }, 'Navigation view already exists.');
    expect((await edit(ada, 'other', { name: 'Other' })).status).toBe(200);
    expect(await listViews(ada)).toContainEqual({ fragment: 'other', is_pinned: true, name: 'Other' });
  });

  test('The fragment is blank, too long or not correctly encoded', async () => {
    expectRefusal(await ada.patch('/navigation_views/100%', {}), 'The path is not correctly encoded');
    expectRefusal(await ada.patch('/navigation_views/%20', { is_pinned: true }), 'fragment cannot be blank');
    const msg = 'fragment is too long (limit: 2500 characters when percent-encoded)';
    await refuse('a'.repeat(5_000), { is_pinned: true }, msg);
    expect((await ada.patch('/navigation_views/', {})).status).toBe(405);
  });

  test('The name is too long or has null bytes', async () => {
    await refuse(alerts.fragment, { name: 'x'.repeat(101) }, 'name is too long (limit: 100 characters)');
    await refuse(alerts.fragment, { name: 'a\0' }, 'name must not contain null bytes');
  });
});
