import type { endpoints } from '#functions/routes.ts';
import type { Params } from '#tests/harness/client.ts';
import type { World } from './world.ts';

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

/** What users keep for themselves. */
export const ownSamples = {
  createDrafts: async (world) => {
    await makeRoomForDrafts(world);
    return { drafts: [{ ...draft, to: [world.channelId] }] };
  },
  deleteDraft: async (world) => ({ draft_id: await draftOf(world) }),
  editDraft: async (world) => ({
    draft_id: await draftOf(world),
    draft: { ...draft, to: [world.channelId], content: 'edited' },
  }),
  listDrafts: async (world) => {
    await makeRoomForDrafts(world);
    return {};
  },
} satisfies Samples;
