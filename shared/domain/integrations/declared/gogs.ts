import { giteaEvents } from '../gitea-family.ts';
import type { Integration } from '../integration.ts';

export const gogs: Integration = {
  slug: 'gogs',
  displayName: 'Gogs',
  categories: ['version-control'],
  setup:
    'In the repository: **Settings**, **Webhooks**, **Add a new webhook**, **Gogs**. Content type `application/json`.',
  body: 'either',
  eventHeader: 'X-Gogs-Event',
  deliveryIds: ['x-gogs-delivery'],
  signature: { header: 'x-gogs-signature', scheme: 'hex' },
  options: { branches: { kind: 'text', label: '' } },
  eventOf: ({ header }) => header('x-gogs-event'),
  events: giteaEvents,
};
