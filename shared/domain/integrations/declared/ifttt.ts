import type { Integration } from '../integration.ts';
import { writtenNote } from '../pair.ts';

export const ifttt: Integration = {
  slug: 'ifttt',
  displayName: 'IFTTT',
  categories: ['meta-integration'],
  setup:
    'In IFTTT: the action **Webhooks**, **Make a web request**, POST, with the JSON body `{"topic": "…", "content": "…"}`.',
  body: 'json',
  says: ({ payload }) => writtenNote(payload),
};
