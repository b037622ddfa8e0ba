import type { Integration } from '../integration.ts';
import { inline, link, paragraphs, quote, shortHash } from '../words.ts';

export const heroku: Integration = {
  slug: 'heroku',
  displayName: 'Heroku',
  categories: ['deployment'],
  setup: 'With the deploy hook of Heroku: `heroku addons:create deployhooks:http --url=<the address>`.',
  body: 'form',
  isQuietAboutBody: true,
  says: ({ payload }) => {
    const app = payload.text('app');
    const log = payload.find('git_log');
    return {
      topic: app,
      content: paragraphs(
        `${inline(payload.text('user'))} deployed version ${shortHash(inline(payload.text('head')))} of ${link(app, payload.find('url'))}${log ? ':' : '.'}`,
        log && quote(log),
      ),
    };
  },
};
