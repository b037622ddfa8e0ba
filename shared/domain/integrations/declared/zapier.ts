import type { Integration } from '../integration.ts';
import { writtenNote } from '../pair.ts';

export const zapier: Integration = {
  slug: 'zapier',
  displayName: 'Zapier',
  categories: ['meta-integration'],
  setup: 'In Zapier: the action **Webhooks by Zapier**, **POST**, with the fields `topic` and `content`.',
  body: 'json',
  isQuietAboutBody: true,
  replies: ({ payload }, { fullName, email, userId }) =>
    payload.find('type') === 'auth' ? { full_name: fullName, email, id: userId } : {},
  says: ({ payload }) => (payload.find('type') === 'auth' ? undefined : writtenNote(payload)),
};
