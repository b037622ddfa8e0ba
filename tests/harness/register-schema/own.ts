import * as z from 'zod';
import { id, seconds } from './values.ts';

/** What users keep for themselves. */

const about = { id, content: z.string().min(1), timestamp: seconds };
export const draft = z.union([
  z.strictObject({ ...about, type: z.literal('stream'), to: z.tuple([id]), topic: z.string() }),
  z.strictObject({ ...about, type: z.literal('private'), to: z.array(id), topic: z.literal('') }),
  z.strictObject({ ...about, type: z.literal(''), to: z.tuple([]), topic: z.literal('') }),
]);
