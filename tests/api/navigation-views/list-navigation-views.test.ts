import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { addView, alerts, listViews } from './view-calls.ts';

let service: TestService;
let ada: Client;
let bo: Client;
beforeAll(async () => {
  service = await startTestService();
  [ada, bo] = await createUsers(service, 'Ada', 'Bo');
});
afterAll(() => service.stop());

test('Each owner lists their own navigation views, in the order of creation', async () => {
  const views = ['c', 'a', 'b'].map((name) => ({ fragment: `narrow/${name}`, is_pinned: false, name }));
  for (const view of views) await addView(ada, view);
  await addView(bo, alerts);
  expect(await listViews(ada)).toEqual(views);
  expect(await listViews(service.owner)).toEqual([]);
});
