import * as z from 'zod/mini';
import { jsonOrText, withDefault } from '#shared/api/parameters.ts';

/** Whether channels come with their subscribers; accepts JSON booleans and plain text. */
export const includeSubscribers = withDefault(
  jsonOrText(
    z.pipe(
      z.transform((input) => (typeof input === 'boolean' ? String(input) : input)),
      z.enum(['true', 'false', 'partial']),
    ),
    'Whether channels come with their subscribers: `true`, `false` or `partial`',
  ),
  'false',
);
