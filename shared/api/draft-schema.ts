import * as z from 'zod/mini';

/** The end of the year 9999: clients make dates of it. */
const LAST_SECOND = 253_402_300_799;

const draftTypes = ['', 'private', 'stream'] as const;

/** The draft object of the reference as clients give it. An id, which records have, is overlooked; of a timestamp whole seconds are kept. */
export const givenDraft = z.strictObject({
  id: z.optional(z.int()),
  type: z.enum(draftTypes),
  to: z.array(z.int()),
  topic: z.string(),
  content: z.string(),
  timestamp: z.optional(z.number().check(z.maximum(LAST_SECOND))),
});

/** A draft as the service has kept it. */
export const draftRecord = z.strictObject({
  id: z.int(),
  type: z.enum(draftTypes),
  to: z.array(z.int()),
  topic: z.string(),
  content: z.string(),
  timestamp: z.int(),
});
