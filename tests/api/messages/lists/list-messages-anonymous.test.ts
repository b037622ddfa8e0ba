import { expect, test } from 'vitest';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { send } from '#tests/harness/anonymous.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { term } from './message-lists.ts';

const service = await startTestService();
const { owner } = service;
const key = channelKeys.channel(await owner.subscribe('open'));
await owner.subscribe('members');
await owner.subscribe('few', { invite_only: true });
await service.services.table.write({ kind: 'update', key, set: { isWebPublic: true } });
for (const name of ['open', 'members', 'few']) await owner.send(name, 'topic', `said in ${name}`);
await owner.sendDirect([owner.userId], 'said to oneself');
await service.settle();
await owner.patch('/realm', { enable_spectator_access: true });

const read = (narrow: unknown[], params: Record<string, string> = {}) => {
  const query = {
    anchor: 'newest',
    num_before: '20',
    num_after: '0',
    ...params,
    narrow: JSON.stringify(narrow),
  };
  return send(service.url, `/messages?${new URLSearchParams(query)}`);
};
const open = term('channels', 'web-public');
const avatarAt = (place: RegExp) => ({ avatar_url: expect.stringMatching(place) });
const refusal = { status: 401, code: 'UNAUTHORIZED' };
const notLoggedIn = 'Not logged in: API authentication or user session required';

test('A user without an account reads web-public channels, and nothing else', async () => {
  const { status, body } = await read([open], { apply_markdown: 'false' });
  expect(status).toBe(200);
  const said = body.messages.filter(({ subject }: { subject: string }) => subject === 'topic');
  expect(said.map(({ content }: { content: string }) => content)).toEqual(['said in open']);
  expect(said[0]).toMatchObject({ flags: ['read', 'historical'], ...avatarAt(/^\/user_avatars\//) });
});

test('A user without an account gets the picture addresses of all senders, also at Gravatar', async () => {
  await service.owner.patch('/realm', { default_avatar_source: 'G' });
  const gia = await service.createUser('Gia');
  await gia.subscribe('open');
  const id = await gia.send('open', 'pictures', 'hi');
  const { messages } = (await read([open])).body;
  expect(messages.at(-1)).toMatchObject({ id, ...avatarAt(/^https:\/\/secure\.gravatar\.com\//) });
});

test.each([
  [[]],
  [[term('channel', 'open')]],
  [[{ ...open, negated: true }]],
  [[term('channels', 'public')]],
])('A user without an account must name a web-public narrow: %j is refused', async (narrow) =>
  expectRefusal(await read(narrow), notLoggedIn, refusal),
);

test('A channel that is not web-public looks missing without an account', async () => {
  for (const operand of ['members', 'few', 'nowhere']) {
    const desc = `unknown channel ${operand}`;
    const reply = await read([open, term('channel', operand)]);
    expectRefusal(reply, `Invalid narrow operator: ${desc}`, { code: 'BAD_NARROW', desc });
  }
});

test('Reading without an account fails if the organization forbids it', async () => {
  await service.owner.patch('/realm', { enable_spectator_access: false });
  expectRefusal(await read([open]), notLoggedIn, refusal);
});
