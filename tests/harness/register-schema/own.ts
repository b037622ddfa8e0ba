import * as z from 'zod';
import { id, seconds } from './values.ts';

/** The fields of personal data. */

const about = { id, content: z.string().min(1), timestamp: seconds };
export const draft = z.union([
  z.strictObject({ ...about, type: z.literal('stream'), to: z.tuple([id]), topic: z.string() }),
  z.strictObject({ ...about, type: z.literal('private'), to: z.array(id), topic: z.literal('') }),
  z.strictObject({ ...about, type: z.literal(''), to: z.tuple([]), topic: z.literal('') }),
]);

export const savedSnippet = z.strictObject({
  id,
  title: z.string().min(1),
  content: z.string().min(1),
  date_created: seconds,
});

/** Built-in views have no name. */
export const navigationView = z.strictObject({
  fragment: z.string().min(1),
  is_pinned: z.boolean(),
  name: z.string().min(1).optional(),
});
