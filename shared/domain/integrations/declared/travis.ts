import type { Delivery, Integration, Note } from '../integration.ts';
import { inline, link } from '../words.ts';

const GOOD = ['Passed', 'Fixed'];
const BAD = ['Failed', 'Broken', 'Still Failing', 'Errored', 'Canceled'];

function iconOf(status: string): string {
  if (GOOD.includes(status)) return ':thumbs_up:';
  if (BAD.includes(status)) return ':thumbs_down:';
  return status === 'Pending' ? ':counterclockwise:' : '';
}

const build = ({ payload }: Delivery): Note => {
  const status = payload.text('status_message');
  const author = payload.find('author_name') ?? 'someone';
  const shown = `${inline(status)} ${iconOf(status)}`.trim();
  const details = `Details: ${link('changes', payload.find('compare_url'))}, ${link('build log', payload.find('build_url'))}`;
  return { topic: 'builds', content: `Author: ${inline(author)}\nBuild status: ${shown}\n${details}` };
};

export const travis: Integration = {
  slug: 'travis',
  displayName: 'Travis CI',
  clientName: 'Travis',
  categories: ['continuous-integration'],
  setup: 'In `.travis.yml`: `notifications: {webhooks: <the address>}`.',
  body: 'payloadField',
  eventOf: ({ payload }) => payload.text('type'),
  events: { push: build, pull_request: build },
};
