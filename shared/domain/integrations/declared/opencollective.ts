import type { Integration } from '../integration.ts';
import { inline, link, words } from '../words.ts';

export const opencollective: Integration = {
  slug: 'opencollective',
  displayName: 'Open Collective',
  categories: ['financial'],
  setup: 'In the collective: **Settings**, **Webhooks**.',
  body: 'json',
  says: ({ payload }) => {
    const slug = payload.find('data.member.memberCollective.slug');
    const name = payload.find('data.member.memberCollective.name') ?? slug;
    const who = name === undefined ? 'Someone' : link(name, slug && `https://opencollective.com/${slug}`);
    const amount = payload.oneOf('data.order.formattedAmountWithInterval', 'data.order.formattedAmount');
    const to = payload.find('data.collective.name');
    return {
      topic: 'New member',
      content: `${words(who, `donated **${inline(amount)}**`, to && `to ${inline(to)}`)}! :tada:`,
    };
  },
};
