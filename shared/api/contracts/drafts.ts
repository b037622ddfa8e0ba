import * as z from 'zod/mini';

/** The end of the year 9999: clients convert timestamps to dates. */
const LAST_SECOND = 253_402_300_799;

const draftTypes = ['', 'private', 'stream'] as const;

/**
 * The draft object of the reference as clients send it. An id is ignored, because stored records have one;
 * timestamps are cut to whole seconds.
 */
export const givenDraft = z.strictObject({
  id: z.optional(z.int()),
  type: z.enum(draftTypes),
  to: z.array(z.int()),
  topic: z.string(),
  content: z.string(),
  timestamp: z.optional(z.number().check(z.maximum(LAST_SECOND))),
});

/** A draft as it is stored. */
export const draftRecord = z.strictObject({
  id: z.int(),
  type: z.enum(draftTypes),
  to: z.array(z.int()),
  topic: z.string(),
  content: z.string(),
  timestamp: z.int(),
});
