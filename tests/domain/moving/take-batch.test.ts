import { describe, expect, test } from 'vitest';
import { takeBatch, WRITES_OF_FILES } from '#shared/actions/messages/take-batch.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { idsFrom } from '#tests/domain/limits/edge.ts';

const inTopics = (ids: number[], topicOf: (id: number) => string, text = ''): Message[] =>
  ids.map(
    (messageId) =>
      ({
        kind: 'channel',
        channelId: 1,
        topic: topicOf(messageId),
        messageId,
        content: text,
        html: '',
      }) as Message,
  );
const inOneTopic = (ids: number[], text?: string) =>
  inTopics(ids, (id) => (id % 2 ? 'Plans' : 'plans'), text);
const amongPeople = (ids: number[], people: number): Message[] => {
  const recipients = idsFrom(1, people).map((id) => ({ id }));
  return ids.map(
    (messageId) => ({ kind: 'direct', recipients, messageId, content: '', html: '' }) as unknown as Message,
  );
};
const many = idsFrom(1, 200);
const inTurns = many.flatMap((id) => amongPeople([id], 2 + (id % 2)));

describe('One transaction changes', () => {
  test.each([
    ['75 messages of a topic', inOneTopic(many), undefined, 75],
    ['One message fewer if they are in two blocks of the log', inOneTopic(idsFrom(990, 200)), undefined, 74],
    ['38 messages of a topic each', inTopics(many, String), undefined, 38],
    ['35 messages of a topic beside the writes for files', inOneTopic(many), WRITES_OF_FILES, 35],
    ['74 messages of two people', amongPeople(many, 2), undefined, 74],
    ['71 messages of two conversations, of two people and of three', inTurns, undefined, 71],
    ['16 messages of a conversation of sixty', amongPeople(many, 60), undefined, 16],
    [
      'Just as many of a larger conversation, whose summaries are written before',
      amongPeople(many, 61),
      undefined,
      16,
    ],
    ['Three messages if there are only three', inOneTopic(idsFrom(1, 3)), undefined, 3],
    ['Nothing without messages', [], undefined, 0],
  ])('%s', (_what, messages, otherWrites, count) => {
    expect(takeBatch(messages, otherWrites)).toEqual(messages.slice(0, count));
  });

  test('Messages of 330 000 characters, contents and HTML together, and a larger one alone', () => {
    const [half, more] = ['x'.repeat(165_000), 'x'.repeat(165_001)];
    const sizes = (...texts: string[]) => {
      const messages = texts.flatMap((text, index) => inOneTopic([index + 1], text));
      return takeBatch(messages).length;
    };
    expect([
      sizes(half, half, ''),
      sizes(half, more),
      sizes(half + more, half),
      sizes(half + more, ''),
    ]).toEqual([3, 1, 1, 1]);
    const [withHtml] = inOneTopic([1]).map((message) => ({ ...message, html: half, content: half }));
    expect(takeBatch([withHtml as Message, ...inOneTopic([2], 'x')])).toHaveLength(1);
  });
});
