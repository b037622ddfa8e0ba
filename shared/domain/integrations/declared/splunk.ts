import type { Integration } from '../integration.ts';
import { bullets, code, inline, link } from '../words.ts';

const MAX_NAME = 60;

export const splunk: Integration = {
  slug: 'splunk',
  displayName: 'Splunk',
  categories: ['monitoring'],
  setup: 'In Splunk: an alert with the trigger action **Webhook**.',
  body: 'json',
  says: ({ payload }) => {
    const name = payload.find('search_name') ?? 'Missing search_name';
    const fields = ['host', 'source', '_raw'].map((field) => {
      const value = payload.find(`result.${field}`) ?? `Missing ${field}`;
      return `**${inline(field.replace('_', ''))}**: ${code(value)}`;
    });
    return {
      topic: name.slice(0, MAX_NAME),
      content: `Splunk alert from saved search:\n${bullets([`**search**: ${link(name, payload.find('results_link'))}`, ...fields])}`,
    };
  },
};
