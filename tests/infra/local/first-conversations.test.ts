import { expect, test } from 'vitest';
import { Client } from '#tests/harness/client.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { openTestTable } from '#tests/harness/table/test-table.ts';

const table = await openTestTable();
const options = { openTable: () => table, secret: 'x', beginsWithConversations: true };
let service = await startTestService({}, options);

interface Subscription {
  stream_id: number;
  name: string;
}

const textsOf = async (narrow: { operator: string; operand: unknown }[]): Promise<string[]> => {
  const asked = { narrow, anchor: 'oldest', num_before: 0, num_after: 50, apply_markdown: false };
  const { body } = await service.owner.get('/messages', asked);
  return body.messages.map(({ content }: { content: string }) => content);
};

const channelOf = ({ subscriptions }: Record<string, Subscription[]>, wanted: string): Subscription => {
  const found = subscriptions?.find(({ name }) => name === wanted);
  if (!found) throw new Error(`There is no channel ${wanted}`);
  return found;
};

test('A new organization begins with a default channel, whose topics explain themselves', async () => {
  const { body } = await service.owner.post('/register', {});
  const general = channelOf(body, 'general');
  expect(general).toMatchObject({ invite_only: false });
  expect(body.realm_default_streams).toContain(general.stream_id);
  const { body: found } = await service.owner.get(`/users/me/${general.stream_id}/topics`);
  const names = found.topics.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['How topics work', 'Try it: formatting']));
  const texts = await textsOf([
    { operator: 'channel', operand: general.stream_id },
    { operator: 'topic', operand: 'How topics work' },
  ]);
  expect(texts).toHaveLength(2);
  expect(texts[0]).toMatch(/^Every message has a topic/);
});

test('The welcome bot writes to the owner, and names what exists', async () => {
  const { body } = await service.owner.post('/register', {});
  const bot = body.cross_realm_bots.find(
    ({ full_name }: { full_name: string }) => full_name === 'Welcome Bot',
  );
  const asked = {
    narrow: [{ operator: 'dm', operand: [bot.user_id] }],
    anchor: 'oldest',
    num_before: 0,
    num_after: 9,
  };
  const { body: found } = await service.owner.get('/messages', asked);
  expect(found.messages).toHaveLength(3);
  expect(found.messages[0].content).toContain('Welcome to ');
  expect(found.messages[1].content).toContain('class="stream-topic"');
});

test('Enter sends for the owner and for people who join, who land in the default channel', async () => {
  const person = await createUser(service, 'New Person');
  for (const client of [service.owner, new Client(service.url, person)]) {
    const { body } = await client.post('/register', {});
    expect(body.user_settings.enter_sends).toBe(true);
    expect(body.subscriptions.map(({ name }: { name: string }) => name).sort()).toEqual([
      'announcements',
      'general',
    ]);
  }
});

test('A later start adds nothing', async () => {
  const { body: before } = await service.owner.post('/register', {});
  await service.stop();
  service = await startTestService({}, options);
  const { body } = await service.owner.post('/register', {});
  expect(body.max_message_id).toBe(before.max_message_id);
  expect(body.subscriptions).toHaveLength(2);
});

test('A second default channel is for announcements, and says so', async () => {
  const { body } = await service.owner.post('/register', {});
  const { stream_id } = channelOf(body, 'announcements');
  expect(body.realm_default_streams).toContain(stream_id);
  expect(body).toMatchObject({
    realm_new_stream_announcements_stream_id: stream_id,
    realm_zulip_update_announcements_stream_id: stream_id,
    realm_signup_announcements_stream_id: -1,
  });
  const texts = await textsOf([
    { operator: 'channel', operand: stream_id },
    { operator: 'topic', operand: 'what’s new' },
  ]);
  expect(texts).toEqual([expect.stringContaining('This channel announces new channels')]);
});

test.each([
  ['de', 'allgemein', 'So funktionieren Themen', /^👋 Willkommen bei Kiln!/],
  ['ja', '全般', 'トピックの使い方', /^👋 Kilnへようこそ/],
  ['ar', 'عام', 'كيف تعمل المواضيع', /^👋 مرحبًا بك في Kiln!/],
])(
  'In an organization of the language %s everything begins in it',
  async (language, name, topic, welcome) => {
    const other = await startTestService(
      {},
      { beginsWithConversations: true, language, organizationName: 'Kiln' },
    );
    const { body } = await other.owner.post('/register', {});
    expect(body.realm_default_language).toBe(language);
    expect(body.user_settings.default_language).toBe(language);
    const { stream_id } = channelOf(body, name);
    const { body: found } = await other.owner.get(`/users/me/${stream_id}/topics`);
    expect(found.topics.map((one: { name: string }) => one.name)).toContain(topic);
    const bot = body.cross_realm_bots.find((one: { full_name: string }) => one.full_name === 'Welcome Bot');
    const { body: direct } = await other.owner.get('/messages', {
      narrow: [{ operator: 'dm', operand: [bot.user_id] }],
      anchor: 'oldest',
      num_before: 0,
      num_after: 9,
      apply_markdown: false,
    });
    expect(direct.messages[0].content).toMatch(welcome);
    expect(direct.messages[1].content).toContain(`#**${name}>${topic}**`);
  },
);
