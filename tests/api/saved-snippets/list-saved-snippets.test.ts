import { expect, test } from 'vitest';
import { proves } from '#tests/conformance/proves.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { createSnippet, greeting, listSnippets } from './snippet-calls.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

test('Owners list their saved snippets, the oldest first', proves('create-navigation-view.13'), async () => {
  const ids = [await createSnippet(ada), await createSnippet(ada), await createSnippet(ada)];
  await createSnippet(bo);
  const records = ids.map((id) => ({ id, ...greeting, date_created: expect.any(Number) }));
  expect(await listSnippets(ada)).toEqual(records);
  const { snapshot } = await ada.register({ fetch_event_types: ['saved_snippets'] });
  expect(snapshot.saved_snippets).toEqual(records);
  expect(snapshot).not.toHaveProperty('navigation_views');
});
