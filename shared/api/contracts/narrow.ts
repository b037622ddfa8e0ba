import * as z from 'zod/mini';
import { json, notBlank, optional } from '#shared/api/parameters.ts';

/** Above the number of terms, or of people in one term, that any client sends. */
const MAX_TERMS = 100;
const MAX_USERS = 500;

const term = z.object({
  operator: z.string().check(notBlank()),
  operand: z.union([z.string(), z.int(), z.array(z.int()).check(z.maxLength(MAX_USERS))]),
  negated: z.optional(z.boolean()),
});
const legacyTerm = z.tuple([z.string(), z.string()]);

/** A required narrow; `parseNarrow` reads its terms. */
export const requiredNarrow = json(
  z.nullable(z.array(z.union([term, legacyTerm])).check(z.maxLength(MAX_TERMS))),
  'Terms that every message must fulfil',
);

/** An optional narrow; when left out it filters nothing. */
export const narrowParameter = optional(requiredNarrow);
