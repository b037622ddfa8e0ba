import type { endpoints } from '#functions/routes.ts';
import type { Params } from '#tests/harness/client.ts';
import type { World } from './world.ts';

type Samples = Partial<Record<keyof typeof endpoints, (world: World) => Params | Promise<Params>>>;

let madeCount = 0;

const draft = { type: 'stream', topic: 'topic', content: 'tentative' };

/** Drafts are kept again, and there are not too many. */
async function makeRoomForDrafts({ caller }: World): Promise<void> {
  await caller.patch('/settings', { enable_drafts_synchronization: true });
  const { body } = await caller.get('/drafts');
  for (const { id } of body.drafts.slice(5)) await caller.delete(`/drafts/${id}`);
}

async function draftOf(world: World): Promise<number> {
  await makeRoomForDrafts(world);
  const drafts = [{ ...draft, to: [world.channelId] }];
  const { body } = await world.caller.post('/drafts', { drafts });
  return body.ids[0];
}

async function snippetOf({ caller }: World): Promise<number> {
  const { body } = await caller.get('/saved_snippets');
  for (const { id } of body.saved_snippets.slice(5)) await caller.delete(`/saved_snippets/${id}`);
  const created = await caller.post('/saved_snippets', { title: 'Greeting', content: 'Hello!' });
  return created.body.saved_snippet_id;
}

/** A fresh view of few: names and fragments are there once. */
async function viewOf({ caller }: World): Promise<string> {
  const { body } = await caller.get('/navigation_views');
  for (const { fragment } of body.navigation_views)
    await caller.delete(`/navigation_views/${encodeURIComponent(fragment)}`);
  const fragment = 'narrow/is/alerted';
  await caller.post('/navigation_views', { fragment, is_pinned: true, name: 'Alert words' });
  return fragment;
}

/** What users keep for themselves. */
export const ownSamples = {
  createDrafts: async (world) => {
    await makeRoomForDrafts(world);
    return { drafts: [{ ...draft, to: [world.channelId] }] };
  },
  createNavigationView: () => ({
    fragment: `narrow/channel/${++madeCount}`,
    is_pinned: false,
    name: `Channel ${madeCount}`,
  }),
  createSavedSnippet: () => ({ title: 'Greeting', content: 'Hello!' }),
  deleteDraft: async (world) => ({ draft_id: await draftOf(world) }),
  deleteNavigationView: async (world) => ({ fragment: await viewOf(world) }),
  deleteSavedSnippet: async (world) => ({ saved_snippet_id: await snippetOf(world) }),
  editDraft: async (world) => ({
    draft_id: await draftOf(world),
    draft: { ...draft, to: [world.channelId], content: 'edited' },
  }),
  editNavigationView: async (world) => ({
    fragment: await viewOf(world),
    is_pinned: false,
    name: 'Words to watch',
  }),
  editSavedSnippet: async (world) => ({
    saved_snippet_id: await snippetOf(world),
    title: 'Farewell',
    content: 'Bye!',
  }),
  listDrafts: async (world) => {
    await makeRoomForDrafts(world);
    return {};
  },
  listNavigationViews: async (world) => {
    await viewOf(world);
    return {};
  },
  listSavedSnippets: async (world) => {
    await snippetOf(world);
    return {};
  },
} satisfies Samples;
