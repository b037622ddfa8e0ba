import { expect, test } from 'vitest';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { addView, alerts, listViews } from './view-calls.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

test('Each owner lists their own navigation views, in the order of creation', async () => {
  const views = ['c', 'a', 'b'].map((name) => ({ fragment: `narrow/${name}`, is_pinned: false, name }));
  for (const view of views) await addView(ada, view);
  await addView(bo, alerts);
  expect(await listViews(ada)).toEqual(views);
  expect(await listViews(service.owner)).toEqual([]);
});
