import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { inTopic, list, newChannel, newest, send } from './message-lists.ts';

let service: TestService;
let ada: Client;
let bo: Client;

beforeAll(async () => {
  service = await startTestService();
  ada = service.owner;
  bo = await service.createUser('Bo');
});

afterAll(() => service.stop());

describe('the capacity that a page of 100 messages takes', () => {
  const text = 'word '.repeat(40);

  async function expectCheap(reader: Client, params: Record<string, unknown>): Promise<void> {
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
  ])('is a small multiple of its bytes: %s messages', async (_length, content) => {
    const { name, channelId } = await newChannel(ada, bo);
    const [left, right] = [
      await service.createUser(`Left${channelId}`),
      await service.createUser(`Right${channelId}`),
    ];
    const ids: number[] = [];
    for (let n = 0; n < 110; n++) {
      ids.push(await send(ada, name, 'budget', content));
      await send(left, [right.userId], undefined, content);
    }
    const pages = [newest, { anchor: ids[104], num_before: 100, num_after: 0, include_anchor: false }];
    for (const page of pages) {
      await expectCheap(bo, { ...page, narrow: inTopic(name, 'budget') });
      await expectCheap(bo, { ...page, narrow: inTopic(channelId, 'budget') });
      await expectCheap(bo, { ...page, narrow: [['channel', name]] });
      await expectCheap(bo, {
        ...page,
        narrow: [
          ['channel', name],
          ['search', content],
        ],
      });
      await expectCheap(left, { ...page, narrow: [['dm', right.email]] });
    }
    await expectCheap(bo, {
      anchor: 'oldest',
      num_before: 0,
      num_after: 100,
      narrow: inTopic(name, 'budget'),
    });
  });
});
