import * as z from 'zod/mini';

/** Presences in the modern form, by user id. */
const modernPresence = z.strictObject({ active_timestamp: z.int(), idle_timestamp: z.int() });

const legacyPresence = z.strictObject({
  aggregated: z.strictObject({ client: z.string(), status: z.enum(['active', 'idle']), timestamp: z.int() }),
  website: z.strictObject({
    client: z.string(),
    status: z.enum(['active', 'idle']),
    timestamp: z.int(),
    pushable: z.boolean(),
  }),
});
/** Presences in the old form, by address. */
export const legacyPresences = z.record(z.string(), legacyPresence);
export const presences = z.union([z.record(z.string(), modernPresence), legacyPresences]);

const offlineToo = z.strictObject({ status: z.enum(['active', 'idle', 'offline']), timestamp: z.int() });
/** The presence object of one user. */
export const presenceObject = z.strictObject({
  active_timestamp: z.int(),
  idle_timestamp: z.int(),
  website: offlineToo,
  aggregated: offlineToo,
});
