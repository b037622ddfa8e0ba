import { afterAll, beforeEach } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { readOpenings } from '#shared/runtime/outside/openings.ts';
import type { Client, Params, Reply } from '#tests/harness/client.ts';
import { Receiver, type Respond } from '#tests/harness/receiver.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

/** A service that may fetch from a server of feeds, and two of its members. */
export async function startFeedService() {
  const receiver = new Receiver();
  await receiver.start();
  const service = await startTestService({ openings: readOpenings(receiver.host) });
  const [member, other] = await createUsers(service, 'Member', 'Other');
  beforeEach(() => {
    receiver.received.length = 0;
    receiver.respond = serving(rss(['one']));
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
  });
  return { receiver, service, member, other };
}

export const feedsOf = async (viewer: Client, channelId: number) =>
  (await viewer.get(`/streams/${channelId}/feeds`)).body.feeds;

/** An RSS document with the given titles, the newest first. */
export const rss = (titles: string[], title = 'Kiln news'): string =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>${title}</title>${titles
    .map(
      (one) => `<item><title>${one}</title><link>https://example.com/${one}</link><guid>${one}</guid></item>`,
    )
    .join('')}</channel></rss>`;

/** A server that has the document, and knows whether its reader has it too. */
export const serving =
  (document: string, headers: Record<string, string> = {}): Respond =>
  ({ headers: sent }, response) => {
    const isKnown = headers.etag !== undefined && sent['if-none-match'] === headers.etag;
    response.writeHead(isKnown ? 304 : 200, { 'content-type': 'application/rss+xml', ...headers });
    response.end(isKnown ? undefined : document);
  };

/** Ten minutes later the sweep reads the feeds that are due. */
export async function sweepLater(service: TestService, minutes = 10): Promise<void> {
  service.advance(minutes * 60_000);
  await sweep(service.services);
  await service.rest();
}

export const addFeed = (
  client: Client,
  channelId: number,
  receiver: Receiver,
  params: Params & { bot_id: number },
): Promise<Reply> => client.post(`/streams/${channelId}/feeds`, { url: `${receiver.url}/feed`, ...params });

/** The messages of a channel, oldest first: topic and Markdown. */
export async function postedIn(
  reader: Client,
  channelId: number,
): Promise<{ topic: string; content: string }[]> {
  const { body } = await reader.get('/messages', {
    narrow: [{ operator: 'channel', operand: channelId }],
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    apply_markdown: false,
  });
  return body.messages
    .filter(({ client }: { client: string }) => client === 'ZulipRSS')
    .map(({ subject, content }: { subject: string; content: string }) => ({ topic: subject, content }));
}
