import type { Apply } from './snapshot-data.ts';

export const emojiEvents: Record<string, Apply> = {
  realm_emoji: (state, event) => {
    if (event.op === 'update') state.realm_emoji = event.realm_emoji;
    else if (event.op === 'add') state.realm_emoji[event.emoji.id] = event.emoji;
    else if (event.op === 'update_one') Object.assign(state.realm_emoji[event.emoji_id], event.data);
    else throw new Error(`No client knows the operation ${event.op} of realm_emoji`);
  },
};
