import type { Integration } from '../integration.ts';
import { inline, link, sentence } from '../words.ts';

export const airbrake: Integration = {
  slug: 'airbrake',
  displayName: 'Airbrake',
  categories: ['monitoring'],
  setup: 'In Airbrake: **Settings**, **Integrations**, **Webhook**.',
  body: 'json',
  says: ({ payload }) => {
    const kind = payload.text('error.error_class');
    return {
      topic: payload.text('error.project.name'),
      content: sentence(
        `${link(kind, payload.find('airbrake_error_url'))}: ${inline(payload.text('error.error_message'))} occurred`,
      ),
    };
  },
};
