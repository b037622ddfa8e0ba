import { describe, expect, test } from 'vitest';
import { proves } from '#tests/conformance/proves.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { addView, alerts, builtIn, listViews } from './view-calls.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);

const createPerson = () => createUser(service, 'Cy');

describe('Adding a navigation view', () => {
  test(
    'Keeps fragment, pinning and name, and the reply has no fields of its own',
    proves(
      'create-navigation-view.1',
      'create-navigation-view.2',
      'create-navigation-view.3',
      'create-navigation-view.4',
      'create-navigation-view.8',
      'create-navigation-view.9',
      'create-navigation-view.10',
    ),
    async () => {
      const cy = await createPerson();
      const letters = { fragment: 'narrow/is/dm', is_pinned: false, name: 'Letters' };
      for (const view of [alerts, letters]) await addView(cy, view);
      expect(await listViews(cy)).toEqual([alerts, letters]);
    },
  );

  test.each(builtIn)(
    'Stores no name for the built-in view %s',
    proves('create-navigation-view.4', 'create-navigation-view.6', 'create-navigation-view.11'),
    async (fragment) => {
      const cy = await createPerson();
      await addView(cy, { fragment, is_pinned: false });
      expect(await listViews(cy)).toEqual([{ fragment, is_pinned: false }]);
    },
  );

  test('Accepts null as the name of a built-in view', proves('create-navigation-view.5'), async () => {
    const cy = await createPerson();
    await addView(cy, { fragment: 'inbox', is_pinned: true, name: null });
    expect(await listViews(cy)).toEqual([{ fragment: 'inbox', is_pinned: true }]);
  });

  test('Notifies the queues of its owner only; a built-in view has null as its name', async () => {
    const cy = await createPerson();
    const queues = await listenAll([cy, cy, bo, service.owner]);
    await addView(cy, alerts);
    await addView(cy, { fragment: 'feed', is_pinned: false });
    const event = { id: expect.any(Number), type: 'navigation_view', op: 'add' };
    const events = [
      { ...event, navigation_view: alerts },
      { ...event, navigation_view: { fragment: 'feed', is_pinned: false, name: null } },
    ];
    expect(await Promise.all(queues.map((queue) => queue.drain()))).toEqual([events, events, [], []]);
  });

  test('Appears in register on request', proves('create-navigation-view.12'), async () => {
    const cy = await createPerson();
    await addView(cy, alerts);
    const { snapshot } = await cy.register({ fetch_event_types: ['navigation_views'] });
    expect(snapshot.navigation_views).toEqual([alerts]);
    const other = await cy.register({ fetch_event_types: ['message'] });
    expect(other.snapshot).not.toHaveProperty('navigation_views');
  });

  test('Strips white space around fragment and name', async () => {
    const cy = await createPerson();
    await addView(cy, { fragment: ' narrow/is/alerted\n', is_pinned: true, name: ' Alert words ' });
    expect(await listViews(cy)).toEqual([alerts]);
  });

  test('Agrees with the snapshot, for its owner and for others', async () => {
    const cy = await createPerson();
    await expectConsistentSnapshot(service, [service.owner, cy, guest], async () => {
      await addView(cy, alerts);
      await addView(cy, { fragment: 'inbox', is_pinned: false });
      await addView(guest, { ...alerts, is_pinned: false });
      await addView(service.owner, alerts);
    });
  });
});

describe('A navigation view is refused if', () => {
  /** Refused, and there is no view. */
  async function refuse(params: object, msg: string): Promise<void> {
    expectRefusal(await ada.post('/navigation_views', { ...alerts, ...params }), msg);
    expect(await listViews(ada)).toEqual([]);
  }

  test('Its fragment is blank', proves('create-navigation-view.7'), async () => {
    for (const fragment of ['', ' ', ' \t\n ']) await refuse({ fragment }, 'fragment cannot be blank');
  });

  test('Its fragment does not fit into a path', async () => {
    const msg = 'fragment is too long (limit: 2500 characters when percent-encoded)';
    for (const fragment of ['a'.repeat(10_000), 'a'.repeat(2_501), '🎉'.repeat(209)])
      await refuse({ fragment }, msg);
    await addView(await createPerson(), { ...alerts, fragment: 'a'.repeat(2_500) });
  });

  test('Its fragment or name has null bytes, or its name is too long', async () => {
    await refuse({ fragment: 'a\0' }, 'fragment must not contain null bytes');
    await refuse({ name: 'a\0' }, 'name must not contain null bytes');
    await refuse({ name: 'x'.repeat(101) }, 'name is too long (limit: 100 characters)');
  });

  test.each(builtIn)(
    'The built-in view %s has a name',
    proves('create-navigation-view.6'),
    async (fragment) => {
      for (const name of ['Mine', ''])
        await refuse({ fragment, name }, 'Built-in views cannot have a custom name.');
    },
  );

  test.each([undefined, null, '', '  '])('A custom view has the name %j', async (name) => {
    await refuse({ name }, 'Custom views must have a valid name.');
  });

  test('Its fragment or its name exists already', proves('create-navigation-view.8'), async () => {
    const cy = await createPerson();
    await addView(cy, alerts);
    await addView(cy, { fragment: 'inbox', is_pinned: true });
    const msg = 'Navigation view already exists.';
    for (const view of [
      alerts,
      { ...alerts, name: 'Other' },
      { ...alerts, fragment: 'other' },
      { fragment: 'inbox', is_pinned: false },
    ])
      expectRefusal(await cy.post('/navigation_views', view), msg);
    expect(await listViews(cy)).toHaveLength(2);
    await addView(await createPerson(), alerts);
  });

  test('There are too many', async () => {
    const cy = await createPerson();
    for (let n = 0; n < 100; n++) await addView(cy, { fragment: `f${n}`, is_pinned: true, name: `n${n}` });
    expectRefusal(await cy.post('/navigation_views', alerts), 'Too many navigation views (maximum 100).');
  });
});

test('A navigation view costs 5 write units', async () => {
  expect((await unitsOf(service, () => addView(ada, alerts))).write).toBe(5);
});
