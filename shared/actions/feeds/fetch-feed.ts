import { type ParsedFeed, parseFeed } from '#shared/domain/feeds/parse-feed.ts';
import { serviceVersion } from '#shared/domain/organization/versions.ts';
import { decodeXml } from '#shared/domain/previews/charset.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { type OutsideAnswer, OutsideFailure } from '#shared/runtime/outside/outside.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganizationUrl } from '#shared/store/organization/organization.ts';

const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 10_000;
const REDIRECTS = 5;
/** Longer validators are not kept. */
const MAX_VALIDATOR = 500;

/** The validators of the answer that was read last. */
export interface Validators {
  etag?: string | undefined;
  lastModified?: string | undefined;
}

/** A feed as its server has it now. */
export interface FetchedFeed extends ParsedFeed, Validators {
  kind: 'feed';
}

export type FeedAnswer =
  | FetchedFeed
  | { kind: 'unchanged' }
  | { kind: 'failure'; reason: string; retryAfterSeconds?: number };

const FAILURES: Record<OutsideFailure['kind'], string> = {
  refused: 'The address of the feed is not allowed',
  unreachable: 'The server of the feed cannot be reached',
  timeout: 'The server of the feed does not answer in time',
  badAnswer: 'The answer cannot be read, or is longer than 1 MB',
};

/** Fetches a feed, unless its server says that it has not changed. */
export async function fetchFeed(
  services: Services,
  url: string,
  { etag, lastModified }: Validators = {},
): Promise<FeedAnswer> {
  const origin = await getOrganizationUrl(services.table);
  try {
    const answer = await services.outside.call({
      url,
      method: 'GET',
      headers: {
        'user-agent': `ZulipFeedReader/${serviceVersion} (+${origin})`,
        accept: 'application/atom+xml, application/rss+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5',
        ...(etag !== undefined && { 'if-none-match': etag }),
        ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
      },
      redirects: REDIRECTS,
      maxBytes: MAX_BYTES,
      ifLonger: 'fail',
      timeoutMs: TIMEOUT_MS,
    });
    return readAnswer(answer, services.clock.nowMs());
  } catch (failure) {
    if (!(failure instanceof OutsideFailure)) throw failure;
    return { kind: 'failure', reason: FAILURES[failure.kind] };
  }
}

function readAnswer({ status, url, headers, body }: OutsideAnswer, nowMs: number): FeedAnswer {
  if (status === 304) return { kind: 'unchanged' };
  if (status < 200 || status > 299)
    return {
      kind: 'failure',
      reason: `The server of the feed answers with status ${status}`,
      retryAfterSeconds: readRetryAfter(headers['retry-after'], nowMs),
    };
  const feed = parseFeed(decodeXml(body, headers['content-type'] ?? ''), url);
  if (!feed) return { kind: 'failure', reason: 'The address is not that of an RSS or Atom feed' };
  const validators = { etag: short(headers.etag), lastModified: short(headers['last-modified']) };
  return { kind: 'feed', ...feed, ...validators };
}

const short = (validator: string | undefined): string | undefined =>
  validator !== undefined && validator.length <= MAX_VALIDATOR ? validator : undefined;

/** The pause that a server requires, in seconds; the header holds a number or a date. */
function readRetryAfter(header = '', nowMs: number): number {
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : toSeconds(Date.parse(header) - nowMs);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 0;
}
