import * as z from 'zod/mini';

/** Values for fields of a profile; null, an empty text and an empty list take away what was there. */
export const profileData = z.array(
  z.object({ id: z.int(), value: z.union([z.string(), z.array(z.int()), z.null()]) }),
);
