import type { Integration } from '../integration.ts';
import { codeBlock } from '../words.ts';

/** Any JSON, shown as it is. */
export const json: Integration = {
  slug: 'json',
  displayName: 'JSON formatter',
  clientName: 'JSON',
  categories: ['meta-integration'],
  setup: 'Let any program post JSON to the address. The message shows it as it is.',
  body: 'json',
  says: ({ payload }) => ({
    topic: 'JSON',
    content: codeBlock(JSON.stringify(payload.value, null, 2), 'json'),
  }),
};
