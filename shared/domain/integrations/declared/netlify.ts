import type { Delivery, Integration, Note } from '../integration.ts';
import { inline, link, sentence } from '../words.ts';

const SAYING: Record<string, string> = {
  deploy_building: 'has started',
  deploy_created: 'was successful',
  deploy_failed: 'has failed',
  deploy_locked: 'was locked',
  deploy_unlocked: 'was unlocked',
};

const deploy =
  (did: string) =>
  ({ payload }: Delivery): Note => {
    const build = link(payload.text('name'), payload.find('admin_url') ?? payload.find('url'));
    const title = payload.find('title') ?? payload.find('commit_ref');
    const failure = payload.find('error_message');
    return {
      topic: payload.find('branch') ?? payload.text('name'),
      content: sentence(`The build ${build}${title ? ` of ${inline(title)}` : ''} ${did}`, failure),
    };
  };

export const netlify: Integration = {
  slug: 'netlify',
  displayName: 'Netlify',
  categories: ['continuous-integration', 'deployment'],
  setup:
    'In the site: **Site configuration**, **Notifications**, **Deploy notifications**, **HTTP POST request**.',
  body: 'json',
  eventHeader: 'X-Netlify-Event',
  eventOf: ({ header }) => header('x-netlify-event'),
  events: Object.fromEntries(Object.entries(SAYING).map(([name, did]) => [name, deploy(did)])),
};
