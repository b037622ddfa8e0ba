import type { Apply } from './snapshot-data.ts';

/** Register says nothing of uploaded files: who shows them asks for them. */
export const attachmentEvents: Record<string, Apply> = { attachment: () => {} };
