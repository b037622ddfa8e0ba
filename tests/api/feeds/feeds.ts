import { beforeEach } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { readOpenings } from '#shared/runtime/outside/openings.ts';
import type { Client, Params, Reply } from '#tests/harness/client.ts';
import { Receiver, type Respond } from '#tests/harness/receiver.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

/** A service that may fetch from a server of feeds, and two of its members. */
export async function startFeedService() {
  const receiver = await new Receiver().start();
  const service = await startTestService({ openings: readOpenings(receiver.host) });
  const [member, other] = await createUsers(service, 'Member', 'Other');
  beforeEach(() => {
    receiver.received.length = 0;
    receiver.respond = serving(rss(['one']));
  });
  return { receiver, service, member, other };
}

export const feedsOf = async (viewer: Client, channelId: number) =>
  (await viewer.get(`/streams/${channelId}/feeds`)).body.feeds;

/** An RSS document with entries of these titles, the newest first. */
export function rss(titles: string[]): string {
  const items = titles.map(
    (title) =>
      `<item><title>${title}</title><link>https://example.com/${title}</link><guid>${title}</guid></item>`,
  );
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>Kiln news</title>${items.join('')}</channel></rss>`;
}

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

/** From now on only the owner may post in the channel. */
export async function restrictToOwner({ owner }: TestService, channelId: number): Promise<void> {
  const can_send_message_group = { new: { direct_members: [owner.userId], direct_subgroups: [] } };
  await owner.patch(`/streams/${channelId}`, { can_send_message_group });
}

/** The messages of a conversation, oldest first, in Markdown. */
export async function messagesIn(
  reader: Client,
  term: { operator: string; operand: unknown },
): Promise<{ client: string; subject: string; content: string }[]> {
  const range = { anchor: 'newest', num_before: 100, num_after: 0 };
  const { body } = await reader.get('/messages', { narrow: [term], ...range, apply_markdown: false });
  return body.messages;
}

/** The entries in a channel, oldest first: topic and Markdown. */
export async function postedIn(reader: Client, channelId: number) {
  const messages = await messagesIn(reader, { operator: 'channel', operand: channelId });
  const posted = messages.filter(({ client }) => client === 'ZulipRSS');
  return posted.map(({ subject, content }) => ({ topic: subject, content }));
}
