import { describe, expect, test } from 'vitest';
import type { Client, Params } from '#tests/harness/client.ts';
import { sendAgain } from '#tests/harness/log.ts';
import { startTestService } from '#tests/harness/service.ts';
import { inTopic, list, newChannel, newest, send, term } from './message-lists.ts';

const service = await startTestService();
const ada = service.owner;
const bo = await service.createUser('Bo');

describe('The capacity of a page of 100 messages', () => {
  const text = 'word '.repeat(40);

  async function expectCheap(reader: Client, params: Params): Promise<void> {
    service.meter.reset();
    const body = await list(reader, params);
    const { read } = service.meter;
    expect(body.messages).toHaveLength(100);
    const bytes = Buffer.byteLength(JSON.stringify(body));
    expect(read).toBeLessThanOrEqual((2 * bytes) / 8192 + 5);
  }

  test.each([
    ['short', 'hi'],
    ['of 200 characters', text],
    ['long', text.repeat(5)],
  ])('Stays a small multiple of its bytes: %s messages', async (_length, content) => {
    const { name, channelId } = await newChannel(ada, bo);
    const left = await service.createUser(`Left${channelId}`);
    const right = await service.createUser(`Right${channelId}`);
    const pair = async () => [
      await send(ada, name, 'budget', content),
      await send(left, [right.userId], undefined, content),
    ];
    await sendAgain(service.services, await pair(), 103);
    const [anchor] = await pair();
    for (let n = 0; n < 5; n++) await pair();
    await service.settle();
    const pages = [newest, { anchor, num_before: 100, num_after: 0, include_anchor: false }];
    for (const page of pages) {
      await expectCheap(bo, { ...page, narrow: inTopic(name, 'budget') });
      await expectCheap(bo, { ...page, narrow: inTopic(channelId, 'budget') });
      await expectCheap(bo, { ...page, narrow: [['channel', name]] });
      await expectCheap(bo, { ...page, narrow: [term('channel', name), term('search', content)] });
      await expectCheap(left, { ...page, narrow: [['dm', right.email]] });
    }
    const oldest = { anchor: 'oldest', num_before: 0, num_after: 100 };
    await expectCheap(bo, { ...oldest, narrow: inTopic(name, 'budget') });
  });

  test('Depends for each kind of narrow on the source that it reads', async () => {
    const { name, channelId } = await newChannel(ada, bo);
    await service.settle();
    const pair = async () => [
      await send(ada, channelId, 'kinds', text),
      await send(ada, [bo.userId], undefined, text),
    ];
    const first = await pair();
    const copies = await sendAgain(service.services, first, 28);
    await pair();
    const ids = [...first, ...copies].filter((_, n) => n % 2 === 0);
    await bo.post('/messages/flags', { op: 'add', flag: 'starred', messages: ids.slice(0, 20) });
    await service.settle();
    const costs: [string, unknown, number, number][] = [
      ['id', [['id', String(ids[3])]], 1, 11],
      ['with', [['with', String(ids[3])]], 20, 15],
      ['topic', inTopic(channelId, 'kinds'), 20, 12],
      ['channel', [['channel', name]], 20, 13],
      ['dm', [term('dm', [ada.userId])], 20, 11],
      ['dm-including', [term('dm-including', ada.userId)], 20, 14],
      ['is:dm', [['is', 'dm']], 20, 13],
      ['is:starred', [['is', 'starred']], 20, 33],
      ['sender', [['sender', ada.email]], 20, 13],
    ];
    for (const [kind, narrow, count, most] of costs) {
      service.meter.reset();
      const body = await list(bo, { ...newest, num_before: 20, narrow });
      expect(body.messages, kind).toHaveLength(count);
      expect(service.meter.read, kind).toBeLessThanOrEqual(most);
    }
  });
});
