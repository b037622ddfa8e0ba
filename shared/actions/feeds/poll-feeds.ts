import { composeBotDirect } from '#shared/actions/messages/bot-message.ts';
import { commitPrepared, prepareMessage } from '#shared/actions/messages/send-message.ts';
import { DeclaredError } from '#shared/domain/errors.ts';
import {
  ENTRIES_OF_FETCH,
  type Feed,
  NOTICED_FAILURES,
  nextFetch,
  rememberSeen,
} from '#shared/domain/feeds/feed.ts';
import type { FeedEntry } from '#shared/domain/feeds/parse-feed.ts';
import {
  describeEntry,
  digestOf,
  feedFailureNotice,
  shownTitle,
  topicOf,
} from '#shared/domain/feeds/post.ts';
import { checkContent } from '#shared/domain/messages/compose.ts';
import { checkTopic } from '#shared/domain/messages/topic.ts';
import type { User } from '#shared/domain/users/user.ts';
import { unlessConflict, writeSilently } from '#shared/log/commit.ts';
import { commitMessage } from '#shared/log/commit-message.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';
import { feedWrite, findFeed } from '#shared/store/feeds.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import type { DueFeed } from '#shared/store/scheduled-messages.ts';
import { findUser } from '#shared/store/users/users.ts';
import { type FetchedFeed, fetchFeed } from './fetch-feed.ts';

/** The sweep does no other work meanwhile, and ends within its timeout. Feeds that are left are due in the next one. */
const BUDGET_MS = 40_000;

/** Fetches feeds that are due, and has their bots post the new entries. */
export async function pollFeeds(services: Services, due: DueFeed[]): Promise<void> {
  const endMs = services.clock.nowMs() + BUDGET_MS;
  await mapConcurrently(due, async (feed) => {
    if (services.clock.nowMs() >= endMs) return;
    try {
      await unlessConflict(() => pollFeed(services, feed));
    } catch (failure) {
      logLine('error', 'A feed could not be read', { ...feed, ...describeFailure(failure) });
    }
  });
}

/** @throws Conflict if the feed is fetched by another worker, or was removed */
async function pollFeed(services: Services, { channelId, feedId }: DueFeed): Promise<void> {
  const { table, clock } = services;
  const nowSeconds = toSeconds(clock.nowMs());
  const found = await findFeed(table, channelId, feedId);
  if (!found || found.dueAtSeconds > nowSeconds) return;
  const bot = await findUser(table, found.botId);
  const feed = await claim(services, found, nextFetch(nowSeconds, bot?.isActive ? 0 : NOTICED_FAILURES));
  if (!bot?.isActive) return;
  const answer = await fetchFeed(services, feed.url, feed);
  if (answer.kind === 'failure') {
    await recordFailure(services, feed, bot, answer.reason, answer.retryAfterSeconds);
    return;
  }
  const posted = answer.kind === 'feed' ? await postEntries(services, feed, bot, answer) : {};
  if ('reason' in posted) await recordFailure(services, feed, bot, posted.reason);
  else if (answer.kind === 'feed' || feed.failures > 0) await recordSuccess(services, feed, posted);
}

/** Moves the time of the next fetch, so no other worker fetches the feed now. @throws Conflict */
async function claim(services: Services, feed: Feed, dueAtSeconds: number): Promise<Feed> {
  await writeSilently(services, feedWrite(feed, { dueAtSeconds }));
  return { ...feed, dueAtSeconds };
}

/**
 * Posts the new entries, the oldest first. An entry and the note that it was posted are one transaction, so a crash
 * neither repeats nor loses one. Returns what to keep, or why an entry was refused.
 * @throws Conflict
 */
async function postEntries(
  services: Services,
  feed: Feed,
  bot: User,
  { title: input, entries, etag, lastModified }: FetchedFeed,
): Promise<Partial<Feed> | { reason: string }> {
  const title = shownTitle(input, feed.url);
  const present = entries.map(digestOf);
  const unseen = entries.filter((_entry, index) => !feed.seen.includes(present[index] ?? ''));
  const topic = checkTopic(topicOf({ ...feed, title }));
  let { seen } = feed;
  for (const entry of unseen.slice(0, ENTRIES_OF_FETCH).reverse()) {
    seen = rememberSeen([digestOf(entry)], seen);
    try {
      await post(services, { ...feed, seen }, bot, topic, entry);
    } catch (failure) {
      if (!(failure instanceof DeclaredError)) throw failure;
      return { reason: failure.message };
    }
  }
  return {
    title,
    seen: rememberSeen(present, seen),
    ...(etag !== undefined && { etag }),
    ...(lastModified !== undefined && { lastModified }),
  };
}

/** @throws Conflict, DeclaredError if the bot may not post there */
async function post(
  services: Services,
  feed: Feed,
  bot: User,
  topic: string,
  entry: FeedEntry,
): Promise<void> {
  const prepared = await prepareMessage(services, bot, {
    address: { kind: 'channel', channel: feed.channelId, topic },
    content: checkContent(describeEntry(entry)),
    client: 'ZulipRSS',
    isReadBySender: false,
  });
  await commitPrepared(services, prepared, { together: { writes: [feedWrite(feed, { seen: feed.seen })] } });
}

const recordSuccess = (services: Services, feed: Feed, kept: Partial<Feed>): Promise<void> =>
  writeSilently(services, feedWrite(feed, { ...kept, failures: 0 }, staleParts(feed, kept)));

/** Validators that the present answer lacks, and the reason of an earlier failure. */
function staleParts(feed: Feed, kept: Partial<Feed>): (keyof Feed)[] {
  const isNew = kept.seen !== undefined;
  const validators = (['etag', 'lastModified'] as const).filter((name) => isNew && !(name in kept));
  return [...validators, 'lastError' as const].filter((name) => feed[name] !== undefined);
}

/** Waits longer after each failure. The owner of the bot is notified of one in a row. @throws Conflict */
async function recordFailure(
  services: Services,
  feed: Feed,
  bot: User,
  lastError: string,
  retryAfterSeconds?: number,
): Promise<void> {
  const { table, clock } = services;
  const failures = feed.failures + 1;
  const dueAtSeconds = nextFetch(toSeconds(clock.nowMs()), failures, retryAfterSeconds);
  const write = feedWrite(feed, { failures, lastError, dueAtSeconds });
  const owner = bot.botOwnerId === null ? undefined : await findUser(table, bot.botOwnerId);
  if (failures !== NOTICED_FAILURES || !owner?.isActive) {
    await writeSilently(services, write);
    return;
  }
  const { notificationBotId } = await getOrganization(table);
  const notice = feedFailureNotice(feed, bot.fullName, lastError);
  const message = await composeBotDirect(services, notificationBotId, owner.userId, notice);
  await commitMessage(services, { message, writes: [write] });
}
