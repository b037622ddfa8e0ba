import { hash } from 'node:crypto';
import {
  fromHtml,
  inline,
  line,
  link,
  neutral,
  paragraphs,
  quote,
} from '#shared/domain/integrations/words.ts';
import type { Feed } from './feed.ts';
import type { FeedEntry } from './parse-feed.ts';

const MAX_SUMMARY = 500;
const MAX_TITLE = 60;

/** Identifies an entry in the stored state of its feed. */
export const digestOf = ({ id }: FeedEntry): string => hash('sha256', id, 'base64url').slice(0, 12);

/** The topic of a feed without one of its own. */
export const topicOf = ({ topic, title }: Pick<Feed, 'topic' | 'title'>): string => topic || title;

/** The title of a feed as a topic: at most 60 characters, or the host of a feed without a title. */
export const shownTitle = (title: string, url: string): string =>
  line(title, MAX_TITLE) || line(URL.parse(url)?.host ?? '', MAX_TITLE);

/** The message about an entry: its title as a link, and the beginning of its text as a quote, which notifies no one. */
export function describeEntry({ title, link: url, summary }: FeedEntry): string {
  const text = shortened(fromHtml(summary));
  const words = title === '' ? 'New entry' : title;
  const head = url === '' ? inline(words) : link(words, url);
  return neutral(paragraphs(`**${head}**`, text !== '' && text !== title && quote(text)));
}

function shortened(text: string): string {
  if (text.length <= MAX_SUMMARY) return text;
  const cut = text.slice(0, MAX_SUMMARY).toWellFormed();
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), MAX_SUMMARY / 2)).trimEnd()}…`;
}

/** The notice to the owner of the bot after several failures in a row. */
export const feedFailureNotice = (
  feed: Pick<Feed, 'url' | 'title'>,
  botName: string,
  reason: string,
): string =>
  `The feed ${inline(feed.title)} (${inline(feed.url)}), which your bot **${inline(botName)}** posts, could not be read several times in a row: ${inline(reason)}. It is tried again less and less often, at least once a day. Remove the feed if it no longer exists.`;
