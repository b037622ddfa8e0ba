import { afterAll, describe, expect, test } from 'vitest';
import { proves } from '#tests/conformance/proves.ts';
import { expectMissing, expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { addView, alerts, builtIn, fragments, listViews } from './view-calls.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);
afterAll(() => service.stop());

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
      await addView(cy, alerts);
      await addView(cy, { fragment: 'narrow/is/dm', is_pinned: false, name: 'Letters' });
      expect(await listViews(cy)).toEqual([
        alerts,
        { fragment: 'narrow/is/dm', is_pinned: false, name: 'Letters' },
      ]);
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
    const queues = await Promise.all([cy, cy, bo, service.owner].map((client) => client.listen()));
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

  test.each(fragments)(
    'Keeps the fragment %s as it is',
    proves('create-navigation-view.8'),
    async (fragment) => {
      const cy = await createPerson();
      await addView(cy, { fragment, is_pinned: true, name: 'Place' });
      expect(await listViews(cy)).toMatchObject([{ fragment }]);
    },
  );

  test('Agrees with the snapshot, for its owner and for others', async () => {
    const cy = await createPerson();
    await expectConsistentSnapshot(service, [service.owner, cy, guest], async () => {
      await addView(cy, alerts);
      await addView(cy, { fragment: 'inbox', is_pinned: false });
      await addView(guest, { ...alerts, is_pinned: false });
      await addView(service.owner, alerts);
    });
  });

  test('Works for every user: moderators, administrators and bots too', async () => {
    const bot = await createUser(service, 'Robot');
    await service.makeBot(bot, ada);
    const others = [await createUser(service, 'Mo', 300), await createUser(service, 'Admin', 200)];
    for (const client of [bot, ...others]) {
      await addView(client, alerts);
      expect(await listViews(client)).toEqual([alerts]);
    }
  });

  test('Stores each of several that are added at once', async () => {
    const cy = await createPerson();
    const names = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(names.map((name) => addView(cy, { fragment: name, is_pinned: true, name })));
    const found = (await listViews(cy)).map(({ name }: { name: string }) => name);
    expect(found.sort()).toEqual(names);
  });
});

describe('A navigation view is refused if', () => {
  /** Refused, and there is no view. */
  async function refuse(params: object, msg: string): Promise<void> {
    expectRefusal(await ada.post('/navigation_views', { ...alerts, ...params }), msg);
    expect(await listViews(ada)).toEqual([]);
  }

  test.each(['', ' ', ' \t\n '])(
    'Its fragment is blank: %j',
    proves('create-navigation-view.7'),
    async (fragment) => {
      await refuse({ fragment }, 'fragment cannot be blank');
    },
  );

  test('Its fragment does not fit into a path', async () => {
    const msg = 'fragment is too long (limit: 2500 characters when percent-encoded)';
    await refuse({ fragment: 'a'.repeat(10_000) }, msg);
    await refuse({ fragment: 'a'.repeat(2_501) }, msg);
    await refuse({ fragment: '🎉'.repeat(209) }, msg);
    const cy = await createPerson();
    await addView(cy, { ...alerts, fragment: 'a'.repeat(2_500) });
  });

  test('Its fragment or name has null bytes', async () => {
    await refuse({ fragment: 'a\0' }, 'fragment must not contain null bytes');
    await refuse({ name: 'a\0' }, 'name must not contain null bytes');
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

  test('Its name is too long', async () => {
    await refuse({ name: 'x'.repeat(101) }, 'name is too long (limit: 100 characters)');
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

  test.each([
    ['is_pinned', 'yes', 'is_pinned is not valid JSON'],
    ['is_pinned', '1', 'is_pinned is not a boolean'],
    ['is_pinned', 'null', 'is_pinned is not a boolean'],
  ])('The parameter is %s=%s', proves('create-navigation-view.3'), async (name, value, msg) => {
    await refuse({ [name]: value }, msg);
  });

  test(
    'It has no fragment, or no pinning',
    proves('create-navigation-view.2', 'create-navigation-view.3'),
    async () => {
      expectMissing(await ada.post('/navigation_views', { ...alerts, fragment: undefined }), 'fragment');
      expectMissing(await ada.post('/navigation_views', { ...alerts, is_pinned: undefined }), 'is_pinned');
    },
  );

  test('There are too many', async () => {
    const cy = await createPerson();
    for (let n = 0; n < 100; n++) await addView(cy, { fragment: `f${n}`, is_pinned: true, name: `n${n}` });
    expectRefusal(await cy.post('/navigation_views', alerts), 'Too many navigation views (maximum 100).');
  });

  test('The caller has no account, or a deactivated one', async () => {
    const gone = await createPerson();
    const noOne = await gone.post('/navigation_views', alerts, { headers: { authorization: '' } });
    expect(noOne).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
    await service.deactivate(gone);
    expect(await gone.post('/navigation_views', alerts)).toMatchObject({
      status: 401,
      body: { code: 'USER_DEACTIVATED' },
    });
  });
});

test('A navigation view costs 5 write units', async () => {
  service.meter.reset();
  await addView(ada, alerts);
  expect(service.meter.write).toBe(5);
});
