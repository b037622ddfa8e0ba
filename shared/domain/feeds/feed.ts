import { BadRequest } from '#shared/domain/errors.ts';

/** An RSS or Atom feed whose new entries a bot posts in a channel. */
export interface Feed {
  feedId: number;
  channelId: number;
  botId: number;
  url: string;
  /** The topic of all entries; the title of the feed if empty. */
  topic: string;
  title: string;
  createdAtSeconds: number;
  /** When it is fetched next. A worker that fetches it moves this time first, so it also names the attempt. */
  dueAtSeconds: number;
  /** Validators of the last answer whose entries were all posted. */
  etag?: string;
  lastModified?: string;
  /** Digests of the ids of entries that were posted or skipped, the newest first. */
  seen: string[];
  /** The failures since the last success. */
  failures: number;
  lastError?: string;
}

/**
 * The time between two fetches. The sweep looks for due feeds every five minutes, so this is a little less than a
 * multiple of them.
 */
export const FEED_INTERVAL_SECONDS = 570;
const MAX_BACKOFF_SECONDS = 24 * 3600;
/** The owner of the bot is notified of this failure in a row, and of no other. */
export const NOTICED_FAILURES = 3;
/** The maximum of entries that one fetch posts. Of more the newest are posted. */
export const ENTRIES_OF_FETCH = 10;
const MAX_SEEN = 250;

const MAX_URL_LENGTH = 2_000;
/** The maxima of feeds. */
const FEEDS_OF_CHANNEL = 20;
const FEEDS_OF_ORGANIZATION = 200;

/** @throws BadRequest unless the text is an absolute address of the web */
export function checkFeedUrl(input: string): string {
  const url = input.trim();
  const isWeb = /^https?:\/\//i.test(url) && URL.canParse(url);
  if (!isWeb || url.length > MAX_URL_LENGTH) throw new BadRequest('url is not a URL');
  return url;
}

/** @throws BadRequest if the channel has the feed already, or if there are too many feeds */
export function requireRoomForFeed(url: string, ofChannel: Feed[], ofOrganization: number): void {
  if (ofChannel.some((feed) => feed.url === url)) throw new BadRequest('The channel already has this feed.');
  if (ofChannel.length >= FEEDS_OF_CHANNEL)
    throw new BadRequest(`Too many feeds: a channel may have ${FEEDS_OF_CHANNEL}.`);
  if (ofOrganization >= FEEDS_OF_ORGANIZATION)
    throw new BadRequest(`Too many feeds: an organization may have ${FEEDS_OF_ORGANIZATION}.`);
}

/** When a feed is fetched again after failures in a row, at the earliest after the pause that its server requires. */
export function nextFetch(nowSeconds: number, failures: number, retryAfterSeconds = 0): number {
  const backoff = FEED_INTERVAL_SECONDS * 2 ** Math.min(failures, 10);
  return nowSeconds + Math.min(Math.max(backoff, retryAfterSeconds), MAX_BACKOFF_SECONDS);
}

/** The digests of present entries, and of earlier ones as long as there is room. */
export const rememberSeen = (present: string[], earlier: string[]): string[] =>
  [...new Set([...present, ...earlier])].slice(0, MAX_SEEN);
