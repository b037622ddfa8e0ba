import { describe, expect, test } from 'vitest';
import { proves } from '#tests/conformance/proves.ts';
import type { Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUsers, drainMessages } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const [ada] = await createUsers(service, 'Ada');
const room = await createChannel(service, [ada]);

const post = (params: Params) =>
  ada.post('/messages', { type: 'channel', to: room.name, topic: 'topic', content: 'hi', ...params });

/** The message as it arrives. */
async function arrive(params: Params, register: Params = {}) {
  const queue = await ada.listen({ client_capabilities: { empty_topic_name: true }, ...register });
  const { status, body } = await post(params);
  expect(status, JSON.stringify(body)).toBe(200);
  const [message] = await drainMessages(queue);
  expect(message.id).toBe(body.id);
  return message;
}

describe('The content of a message', () => {
  test.each([
    ['hi \n\n\t ', 'hi'],
    ['\n \n\t\n  hi', '  hi'],
    ['a\n\nb', 'a\n\nb'],
    ['👍🏽 é \u202e', '👍🏽 é \u202e'],
    ['a+b=c&d%20"\'\\', 'a+b=c&d%20"\'\\'],
    ['{"json": true}', '{"json": true}'],
    ['12', '12'],
  ])('%j is stored as %j', async (content, stored) => {
    expect((await arrive({ content })).content).toBe(stored);
  });

  test('Can follow millions of blank lines', async () => {
    const params = new URLSearchParams({ type: 'channel', to: room.name, topic: 'topic' });
    const rawBody = `${params}&content=${'\n'.repeat(4_000_000)}hi`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const queue = await ada.listen();
    const { status, body } = await ada.post('/messages', {}, { rawBody, headers });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(await drainMessages(queue)).toMatchObject([{ id: body.id, content: 'hi' }]);
  });

  test('Has up to 10 000 characters, and longer content is cut with a note', async () => {
    const longest = '😀'.repeat(10_000);
    expect((await arrive({ content: longest })).content).toBe(longest);
    const note = '\n[message truncated]';
    expect((await arrive({ content: `${longest}!` })).content).toBe('😀'.repeat(10_000 - note.length) + note);
    expect((await arrive({ content: 'x'.repeat(1_000_000) })).content).toHaveLength(10_000);
  });

  test.each(['', ' ', '\n\t \n', '\u3000'])('Fails if it is blank: %j', async (content) => {
    expectRefusal(await post({ content }), 'Message must not be empty');
  });

  test('Fails if it has a null byte', async () => {
    expectRefusal(await post({ content: 'a\u0000b' }), 'Message must not contain null bytes');
  });

  test.each([
    ['/me waves', true],
    ['/me', false],
    ['/meow', false],
    ['/me waves\nand smiles', false],
    ['hello /me', false],
  ])('Shows the action of its sender in %j: %s', async (content, isMe) => {
    expect((await arrive({ content })).is_me_message).toBe(isMe);
  });
});

describe('The topic of a message', () => {
  test.each([
    ['  logo  ', 'logo'],
    ['Two  Words', 'Two  Words'],
    ['', ''],
    ['   ', ''],
    ['(no topic)', ''],
    [' general chat ', ''],
    ['General Chat', 'General Chat'],
    ['✔ done', '✔ done'],
    ['123', '123'],
    ['"quoted"', '"quoted"'],
    ['x'.repeat(60), 'x'.repeat(60)],
    ['x'.repeat(61), `${'x'.repeat(57)}...`],
    ['😀'.repeat(70), `${'😀'.repeat(57)}...`],
    ['x'.repeat(100_000), `${'x'.repeat(57)}...`],
  ])('%j becomes %j', proves('conventions.8', 'conventions.9', 'conventions.10'), async (topic, stored) => {
    expect((await arrive({ topic })).subject).toBe(stored);
  });

  test.each([
    ['a\u0000', 2],
    ['tab\tbed', 4],
    ['line\nbreak', 5],
    ['\u007f', 1],
    ['\uffff', 1],
    ['😀\u0001', 2],
  ])('Fails as %j for the character at position %d', async (topic, position) => {
    expectRefusal(await post({ topic }), `Invalid character in topic, at position ${position}!`);
  });

  test('Matches in any letter case, and each message keeps its own spelling', async () => {
    await arrive({ topic: 'CASE' });
    expect((await arrive({ topic: 'Case' })).subject).toBe('Case');
    const { body } = await ada.get(`/users/me/${room.channelId}/topics`);
    const names = body.topics.map(({ name }: { name: string }) => name);
    expect(names.filter((name: string) => name.toLowerCase() === 'case')).toEqual(['Case']);
  });
});
