import { giteaEvents } from '../gitea-family.ts';
import type { Integration } from '../integration.ts';

/** Also for Forgejo, which sends the headers of Gitea. */
export const gitea: Integration = {
  slug: 'gitea',
  displayName: 'Gitea',
  clientName: 'Gitea',
  categories: ['version-control'],
  setup:
    'In the repository: **Settings**, **Webhooks**, **Add webhook**, **Gitea** (in Forgejo **Forgejo**). Content type `application/json`.',
  body: 'either',
  eventHeader: 'X-Gitea-Event',
  deliveryIds: ['x-gitea-delivery'],
  signature: { header: 'x-gitea-signature', scheme: 'hex' },
  options: { branches: { kind: 'text', label: '' } },
  eventOf: ({ header }) => header('x-gitea-event'),
  events: giteaEvents,
};
