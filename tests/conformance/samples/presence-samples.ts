import type { World } from '#tests/conformance/world.ts';

/** The samples of presence, typing and statuses. */
export const presenceSamples = {
  getPresence: async ({ other }: World) => {
    await other.post('/users/me/presence', { status: 'active' });
    return { user_id_or_email: other.userId };
  },
  getUserStatus: ({ other }: World) => ({ user_id: other.userId }),
  listPresences: () => ({}),
  setOwnStatus: ({ nextNumber }: World) => ({ status_text: `sample ${nextNumber()}` }),
  setUserStatus: ({ other, nextNumber }: World) => ({
    user_id: other.userId,
    status_text: `sample ${nextNumber()}`,
  }),
  updatePresence: () => ({ status: 'active', new_user_input: true, last_update_id: -1 }),
};
