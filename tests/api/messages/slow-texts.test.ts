import { beforeAll, describe, expect, test } from 'vitest';
import { slowCode, slowFormulas } from '#tests/domain/markdown/slowest.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { schedule } from '../scheduled-messages/schedules.ts';
import { edit, read } from './message-changes.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const room = await createChannel(service, [ada, bo]);

/** Texts that took a function from seconds to longer than its timeout. */
const slowest = [...slowCode.slice(0, 4), ...slowFormulas.slice(0, 4)];

describe('A text that is made to be slow', () => {
  test.each(slowest.map(({ name, source }) => [name, source]))(
    'Renders in time: %s',
    async (_name, content) => {
      const { status, body } = await ada.post('/messages/render', { content });
      expect(status, JSON.stringify(body)).toBe(200);
      expect(body.rendered.length).toBeLessThan(150_000);
    },
  );

  test('Can be sent, edited, scheduled and reported', async () => {
    const [code, formula] = [slowest[0]?.source, slowest[4]?.source];
    const messageId = await ada.send(room.name, 'topic', String(code));
    expect((await edit(ada, messageId, { content: formula })).status).toBe(200);
    await schedule(ada, { to: room.channelId, content: code });
    const moderation = await createChannel(service, [service.owner], { invite_only: true });
    await service.owner.patch('/realm', { moderation_request_channel_id: moderation.channelId });
    const report = await bo.post(`/messages/${messageId}/report`, { report_type: 'spam' });
    expect(report.status, JSON.stringify(report.body)).toBe(200);
  });
});

describe('A text whose HTML would be too long', () => {
  beforeAll(async () => {
    const url_template = `https://example.com/{id}?${'&'.repeat(900)}`;
    const filter = { pattern: 'z(?P<id>[0-9])', url_template };
    expect((await service.owner.post('/realm/filters', filter)).status).toBe(200);
  });
  const long = (digit: number): string => `@**all** ${`z${digit} `.repeat(55)}${'𐀀'.repeat(9_500)}`;

  test('Appears unrendered, and mentions no user', async () => {
    const messageId = await ada.send(room.name, 'long', long(1));
    const { message } = await read(bo, messageId);
    expect(message.content).toBe(`<p>${long(1)}</p>`);
    expect(message.flags).toEqual([]);
  });

  test('Can be edited to another one, with the texts and the HTML of both in one event', async () => {
    const messageId = await ada.send(room.name, 'long', long(1));
    const queue = await bo.listen({ event_types: ['update_message'] });
    const { status, body } = await edit(ada, messageId, { content: long(2) });
    expect(status, JSON.stringify(body).slice(0, 200)).toBe(200);
    const [event] = await queue.drain();
    expect(event).toMatchObject({ orig_content: long(1), content: long(2) });
  });

  test('Does not include one whose HTML has the greatest length', async () => {
    const formulas = `${'$$x^2$$ '.repeat(1_000)}${'𐀀'.repeat(1_900)}`;
    const messageId = await ada.send(room.name, 'formulas', formulas);
    expect((await edit(ada, messageId, { content: `a${formulas}` })).status).toBe(200);
    const { message } = await read(bo, messageId);
    expect(Buffer.byteLength(message.content)).toBeGreaterThan(100_000);
  });
});
