import { afterAll, expect, test } from 'vitest';
import { Client } from '#tests/harness/client.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { openTestTable } from '#tests/harness/table/test-table.ts';

const table = await openTestTable();
const options = { openTable: () => table, secret: 'x', beginsWithConversations: true };
let service = await startTestService({}, options);
afterAll(() => service.stop());

const textsOf = async (narrow: { operator: string; operand: unknown }[]): Promise<string[]> => {
  const asked = { narrow, anchor: 'oldest', num_before: 0, num_after: 50, apply_markdown: false };
  const { body } = await service.owner.get('/messages', asked);
  return body.messages.map(({ content }: { content: string }) => content);
};

test('A new organization begins with a default channel, whose topics explain themselves', async () => {
  const { body } = await service.owner.post('/register', {});
  const [general] = body.subscriptions;
  expect(general).toMatchObject({ name: 'general', invite_only: false });
  expect(body.realm_default_streams).toEqual([general.stream_id]);
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
    expect(body.subscriptions.map(({ name }: { name: string }) => name)).toEqual(['general']);
  }
});

test('A later start adds nothing', async () => {
  const { body: before } = await service.owner.post('/register', {});
  await service.stop();
  service = await startTestService({}, options);
  const { body } = await service.owner.post('/register', {});
  expect(body.max_message_id).toBe(before.max_message_id);
  expect(body.subscriptions).toHaveLength(1);
});
