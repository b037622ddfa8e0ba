import { renderText } from '#shared/store/messages/references.ts';
import { signInLinkWrite } from '#shared/store/users/sign-in-links.ts';
import { getUser } from '#shared/store/users/users.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import { fillLog, type Variation } from '#tests/harness/backlog.ts';
import { Random } from '#tests/simulation/random.ts';
import { createChannels, createPeople, FIRST_INVENTED, PEOPLE } from '../large-organization.ts';
import type { BenchClient, BenchService } from '../service.ts';

const MESSAGES = 100_000;
/** The number of unread ones, the newest. */
const UNREAD = 2_000;
/** How many messages follow each other in a conversation before another one continues. */
const TURN = 5;
const SPEAKERS = 8;
const TOPICS = 30;
const SECONDS_BETWEEN = 20;
const WRITERS = 10;

export interface Organization {
  /** Reads all channels. */
  viewer: BenchClient;
  /** People who write while the viewer looks on. */
  writers: BenchClient[];
  channelIds: number[];
  /** Signs the viewer in to a browser, once. */
  signInToken: string;
}

/** Realistic messages: mostly a sentence, now and then code, a list, a quotation, a table, a formula. */
const TEXTS = [
  'Sounds good.',
  'I looked at it this morning: the **second** draft reads much better, and I would keep the heading as it was.',
  'See https://example.com/plans/2031 for the numbers, and the notes below it.',
  'Three things are left:\n\n* the margins\n* the `print.css` file\n* a name for it',
  '```css\n.sheet { margin: 12mm; }\n.sheet > h1 { font-size: 2rem; }\n```\nThat is all that it takes.',
  '> Could we ship it on Friday?\n\nYes, if the tests pass by Thursday evening :tada:',
  'A longer thought. '.repeat(20).trim(),
  '| day | done |\n|---|---:|\n| Monday | 3 |\n| Tuesday | 5 |',
  'Who has time to review? It is about forty lines, most of them tests.',
  'Thanks :+1:',
  'The sum is $$a^2 + b^2$$, as expected.',
];

/**
 * 1 000 people, 200 channels and 100 000 messages, of which 2 000 are unread. They are written to the table, since
 * that is quicker.
 */
export async function foundOrganization(service: BenchService): Promise<Organization> {
  const viewer = await service.createUser('Viewer');
  // The viewer reads messages since their account was created, which the service remembers from the first call on.
  for (const key of [userKeys.user(viewer.userId), userKeys.account('viewer@example.com')])
    await service.services.table.write({ kind: 'update', key, set: { createdAtSeconds: 0 } });
  await createPeople(service);
  const channelIds = await createChannels(service, viewer);
  const writers: BenchClient[] = [];
  for (let n = 0; n < WRITERS; n++)
    writers.push(await service.createUser(`Writer${String.fromCharCode(97 + n)}`));
  await service.settle();
  const variationAt = await createVariations(service, viewer, channelIds);
  const place = { channelId: channelIds[0] as number, channelName: 'room 0' };
  const fill = (count: number) => fillLog(service.services, place, count, count, () => '', variationAt);
  await fill(MESSAGES - UNREAD);
  await viewer.call('POST', '/mark_all_as_read');
  await service.settle();
  await fill(UNREAD);
  return { viewer, writers, channelIds, signInToken: await createSignInToken(service, viewer) };
}

async function createVariations(
  { services }: BenchService,
  viewer: BenchClient,
  channelIds: number[],
): Promise<(position: number) => Variation> {
  const author = await getUser(services.table, viewer.userId);
  const texts = await Promise.all(
    TEXTS.map(async (content) => ({ content, html: await renderText(services.table, author, content) })),
  );
  const startSeconds = Math.floor(services.clock.nowMs() / 1000) - MESSAGES * SECONDS_BETWEEN;
  return (position) => {
    const conversation = new Random(Math.floor(position / TURN));
    const random = new Random(position);
    // A few channels and topics are busy, most are not.
    const channel = Math.floor(conversation.fraction() ** 2 * channelIds.length);
    const topic = Math.floor(conversation.fraction() ** 2 * TOPICS);
    const sender = (conversation.between(0, PEOPLE - 1) + random.between(0, SPEAKERS - 1)) % PEOPLE;
    return {
      channelId: channelIds[channel] as number,
      channelName: `room ${channel}`,
      topic: `topic ${topic}`,
      senderId: FIRST_INVENTED + sender,
      senderFullName: `Person number ${sender}`,
      atSeconds: startSeconds + position * SECONDS_BETWEEN,
      ...random.pick(texts),
    };
  };
}

async function createSignInToken({ services }: BenchService, viewer: BenchClient): Promise<string> {
  const { email } = await getUser(services.table, viewer.userId);
  const token = services.ids.writeId();
  const expiresAtSeconds = Math.floor(services.clock.nowMs() / 1000) + 3_600;
  await services.table.write(signInLinkWrite(token, { email, expiresAtSeconds }));
  return token;
}
