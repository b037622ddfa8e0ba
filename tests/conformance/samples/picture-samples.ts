import { keep } from '#tests/conformance/kept.ts';
import type { World } from '#tests/conformance/world.ts';
import { makePicture, toForm } from '#tests/harness/pictures.ts';

const emojiOf = async ({ caller, nextNumber }: World): Promise<{ emoji_name: string }> => {
  const emoji_name = `sample_${nextNumber()}`;
  await caller.post(`/realm/emoji/${emoji_name}`, {}, { rawBody: toForm(await makePicture()) });
  return { emoji_name };
};

/** Samples of emoji, avatars, and the pictures of the organization. */
export const pictureSamples = {
  deactivateCustomEmoji: emojiOf,
  deleteOrganizationIcon: async ({ caller }: World) => {
    await caller.post('/realm/icon', {}, { rawBody: toForm(await makePicture()) });
    return {};
  },
  deleteOrganizationLogo: async ({ caller }: World) => {
    await caller.post('/realm/logo', {}, { rawBody: toForm(await makePicture(), { night: 'true' }) });
    return { night: true };
  },
  deleteOwnAvatar: async ({ caller }: World) => {
    await caller.post('/users/me/avatar', {}, { rawBody: toForm(await makePicture()) });
    return {};
  },
  getAvatar: ({ other }: World) => ({ user_id_or_email: other.userId }),
  getMediumAvatar: ({ other }: World) => ({ user_id_or_email: other.userId }),
  getEmojiNames: () => ({}),
  getExtraEmojiPicture: () => ({}),
  getOrganizationIcon: () => ({}),
  getOrganizationLogo: () => ({ night: false }),
  uploadOrganizationIcon: () => ({}),
  uploadOrganizationLogo: () => ({ night: false }),
  uploadOwnAvatar: () => ({}),
  getPicture: (world: World) =>
    keep(world, 'the picture of an emoji', async () => {
      const { emoji_name } = await emojiOf(world);
      const { body } = await world.caller.get('/realm/emoji');
      const all = Object.values<{ name: string; source_url: string }>(body.emoji);
      const found = all.find(({ name }) => name === emoji_name);
      return { picture: found?.source_url.split('/').at(-1) };
    }),
  listCustomEmoji: () => ({}),
  uploadCustomEmoji: ({ nextNumber }: World) => ({ emoji_name: `sample_${nextNumber()}` }),
};
