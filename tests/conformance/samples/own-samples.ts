import type { endpoints } from '#functions/routes.ts';
import { digestOfToken } from '#shared/domain/users/sessions/session.ts';
import { addressChangeWrite } from '#shared/store/users/address-changes.ts';
import { listUsers } from '#shared/store/users/users.ts';
import type { World } from '#tests/conformance/world.ts';
import type { Params } from '#tests/harness/client.ts';

type Samples = Partial<Record<keyof typeof endpoints, (world: World) => Params | Promise<Params>>>;

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

/** A person may have few tokens. */
async function makeRoomForTokens({ caller }: World): Promise<void> {
  const { body } = await caller.get('/users/me/tokens');
  for (const { id } of body.tokens.slice(5)) await caller.delete(`/users/me/tokens/${id}`);
}

async function tokenOf(world: World): Promise<number> {
  await makeRoomForTokens(world);
  const { body } = await world.caller.post('/users/me/tokens', { name: 'Scripts', scopes: ['read'] });
  return body.id;
}

/** Samples of personal data. */
export const ownSamples = {
  answerMcp: () => ({ body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) }),
  createApiToken: async ({ channelId, ...world }) => {
    await makeRoomForTokens({ channelId, ...world });
    return { name: 'Scripts', scopes: ['read', 'send'], channels: [channelId] };
  },
  listOwnApiTokens: async (world) => {
    await tokenOf(world);
    return {};
  },
  revokeApiToken: async (world) => ({ token_id: await tokenOf(world) }),
  createDrafts: async (world) => {
    await makeRoomForDrafts(world);
    return { drafts: [{ ...draft, to: [world.channelId] }] };
  },
  createNavigationView: ({ nextNumber }) => {
    const number = nextNumber();
    return { fragment: `narrow/channel/${number}`, is_pinned: false, name: `Channel ${number}` };
  },
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
  // Each person may confirm their own address in other letters, so that their credentials still name the account.
  confirmNewAddress: async ({ service, nextNumber }) => {
    const { table, clock } = service.services;
    const key = `sample-${nextNumber()}`;
    const expiresAtSeconds = Math.floor(clock.nowMs() / 1000) + 3600;
    for (const { userId, email: from } of await listUsers(table)) {
      const to = from === from.toLowerCase() ? from.toUpperCase() : from.toLowerCase();
      const change = { userId, from, to, tokenDigest: digestOfToken(key), expiresAtSeconds };
      await table.write(addressChangeWrite(change));
    }
    return { key };
  },
} satisfies Samples;
