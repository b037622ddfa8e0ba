import type { Apply } from './snapshot-data.ts';

/** Reactions and submessages stand beside messages, which register does not return. */
export const reactionEvents: Record<string, Apply> = {
  reaction: () => {},
  submessage: () => {},
};
