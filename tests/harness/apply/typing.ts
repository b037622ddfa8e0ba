import type { Apply } from './snapshot-data.ts';

/** Who is typing is forgotten after seconds; register does not return it. */
export const typingEvents: Record<string, Apply> = { typing: () => {}, typing_edit_message: () => {} };
