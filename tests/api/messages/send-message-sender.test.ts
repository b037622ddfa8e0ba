import { describe, expect, test } from 'vitest';
import type { Client, Params } from '#tests/harness/client.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const room = await createChannel(service, [ada, bo]);

const post = (sender: Client, params: Params) =>
  sender.post('/messages', { type: 'channel', to: room.name, topic: 'topic', content: 'hi', ...params });

describe('Local echo', () => {
  test('Goes to the queue that the sender named, and to no other', async () => {
    const messages = { event_types: ['message'] };
    const [mine, alsoMine, bos] = [
      await ada.listen(messages),
      await ada.listen(messages),
      await bo.listen(messages),
    ];
    await post(ada, { queue_id: mine.queueId, local_id: '31.01' });
    expect(await mine.drain()).toMatchObject([{ type: 'message', local_message_id: '31.01' }]);
    for (const queue of [alsoMine, bos]) {
      const [event] = await queue.drain();
      expect(event).toMatchObject({ type: 'message' });
      expect(event).not.toHaveProperty('local_message_id');
      expect(JSON.stringify(event)).not.toContain('31.01');
    }
  });

  test('Requires both names, and is left out if one is missing, unknown or too long', async () => {
    const mine = await ada.listen();
    const { queueId } = mine;
    for (const params of [
      { queue_id: queueId },
      { local_id: '1' },
      { queue_id: 'nonsense', local_id: '1' },
      { queue_id: queueId, local_id: 'x'.repeat(101) },
    ]) {
      expect((await post(ada, params)).status).toBe(200);
      const [event] = await mine.drain();
      expect(event).toMatchObject({ type: 'message' });
      expect(event).not.toHaveProperty('local_message_id');
    }
  });
});

describe('The sender’s own message', () => {
  const flagsOf = async (params: Params, headers: Record<string, string> = {}) => {
    const [own, others] = [
      await ada.listen({ event_types: ['message'] }),
      await bo.listen({ event_types: ['message'] }),
    ];
    await ada.post(
      '/messages',
      { type: 'channel', to: room.name, topic: 't', content: 'x', ...params },
      { headers },
    );
    expect(await others.drain()).toMatchObject([{ flags: [] }]);
    return (await own.drain())[0]?.flags;
  };

  test('Becomes read or unread on request, whatever the program', async () => {
    expect(await flagsOf({ read_by_sender: true })).toEqual(['read']);
    expect(await flagsOf({ read_by_sender: false }, { 'user-agent': 'website' })).toEqual([]);
  });

  test.each([
    ['ZulipMobile/29.0 (Android 14)', ['read']],
    ['ios/1.0', ['read']],
    ['website', ['read']],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', ['read']],
    [
      'Mozilla/5.0 (Macintosh) AppleWebKit/537.36 (KHTML, like Gecko) ZulipElectron/5.12.4 Safari/537.36',
      ['read'],
    ],
    ['ZulipElectron/5.12.4', ['read']],
    ['zulipterminal', ['read']],
    ['curl/8.0', []],
    ['zulip-python/0.9', []],
  ])('Becomes read by the kind of program: %s', async (agent, flags) => {
    expect(await flagsOf({}, { 'user-agent': agent })).toEqual(flags);
  });

  test('Names the program of the client parameter', async () => {
    expect(await flagsOf({ client: 'My Desktop App' })).toEqual(['read']);
    expect(await flagsOf({ client: 'my script' }, { 'user-agent': 'website' })).toEqual([]);
  });
});
