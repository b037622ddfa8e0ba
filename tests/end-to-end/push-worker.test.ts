import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { listActive } from '#shared/domain/push/device.ts';
import { moveLowWaterMark } from '#shared/log/head.ts';
import { deliver } from '#shared/push/deliver.ts';
import { notifyDevices } from '#shared/push/notify.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findEntry, readCounter } from '#shared/store/log/log.ts';
import { getPushDevices } from '#shared/store/push/push-devices.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Item } from '#shared/table/table.ts';
import type { Client } from '#tests/harness/client.ts';
import { expireEntries, withCalls } from '#tests/harness/log.ts';
import { takeLogged } from '#tests/harness/logged-lines.ts';
import { addPhone, attachRelay, type Phone } from '#tests/harness/relay.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

let ada: Client;
let bo: Client;
let phone: Phone;
const service = await startTestService();
const { services } = service;
const relay = await attachRelay(service);
const wake = services.bus.wakeNotifier;
beforeEach(async () => {
  [ada, bo] = await createUsers(service, 'Ada', 'Bo');
  phone = await addPhone(service, ada);
  relay.received = [];
});
afterEach(() => {
  relay.trouble = undefined;
  services.bus.wakeNotifier = wake;
});

/** As if the bus lost every hint. */
const loseHints = (): void => {
  services.bus.wakeNotifier = async () => {};
};
const contents = async () => {
  await service.settle();
  return relay.sentTo(phone).map(({ content }) => content);
};

/** The services of a worker that dies at its first write of this kind. */
const dyingAt = (isLast: (item: Item) => boolean): Services =>
  withCalls(services, (table) => ({
    write: async (write) => {
      const item = write.kind === 'put' ? write.item : write.kind === 'update' && write.set;
      if (item && isLast(item)) throw new Error('The worker died');
      await table.write(write);
    },
  }));

describe('The worker that notifies devices', () => {
  test('Finds with the sweep the messages without a hint', async () => {
    loseHints();
    await bo.sendDirect([ada.userId], 'one');
    await bo.sendDirect([ada.userId], 'two');
    expect(await contents()).toEqual([]);
    await sweep(services);
    expect(await contents()).toEqual(['one', 'two']);
    await sweep(services);
    expect(await contents()).toEqual(['one', 'two']);
  });

  test('Notifies once for each message, however many of it run at once', async () => {
    loseHints();
    for (const content of ['one', 'two', 'three']) await bo.sendDirect([ada.userId], content);
    await Promise.all([1, 2, 3, 4, 5].map(() => notifyDevices(services)));
    expect(await contents()).toEqual(['one', 'two', 'three']);
  });

  test('Repeats notifications that the relay refused, within an hour, and logs it', async () => {
    relay.trouble = { status: 503 };
    takeLogged();
    await bo.sendDirect([ada.userId], 'one');
    await service.settle();
    const warning = { level: 'warn', message: 'Devices could not be notified; they will be later' };
    expect(takeLogged()).toMatchObject([warning]);
    relay.received = [];
    relay.trouble = undefined;
    await bo.sendDirect([ada.userId], 'two');
    expect(await contents()).toEqual(['one', 'two']);
  });

  test('Gives up notifications that the relay refused for an hour', async () => {
    relay.trouble = { status: 503 };
    await bo.sendDirect([ada.userId], 'one');
    await service.settle();
    relay.received = [];
    relay.trouble = undefined;
    service.advance(3_601_000);
    await bo.sendDirect([ada.userId], 'two');
    expect(await contents()).toEqual(['two']);
  });

  test('Notifies of messages, or of mentions by an edit, up to an hour old', async () => {
    loseHints();
    const notifyAt = async (nowMs: number): Promise<string[]> => {
      await notifyDevices({ ...services, clock: { ...services.clock, nowMs: () => nowMs } });
      return (await contents()).splice(0);
    };
    const secondOf = async (position: number): Promise<number> => {
      const entry = await findEntry(services.table, position);
      return Math.floor((entry?.atMs ?? 0) / 1_000) * 1_000;
    };
    const first = await bo.sendDirect([ada.userId], 'in time');
    expect(await notifyAt((await secondOf(first)) + 3_600_999)).toEqual(['in time']);
    relay.received = [];
    const second = await bo.sendDirect([ada.userId], 'too late');
    expect(await notifyAt((await secondOf(second)) + 3_601_000)).toEqual([]);
    const { name } = await createChannel(service, [ada, bo]);
    for (const [content, lateMs, count] of [
      ['now you', 3_600_999, 1],
      ['no more', 3_601_000, 0],
    ] as const) {
      const id = await bo.send(name, 'topic', content);
      await bo.patch(`/messages/${id}`, { content: `${content} @**|${ada.userId}**` });
      const edited = await secondOf(await readCounter(services.table));
      relay.received = [];
      expect(await notifyAt(edited + lateMs)).toHaveLength(count);
    }
  });

  test('Sends at most a hundred notifications at once', async () => {
    const [device] = listActive(await getPushDevices(services.table, ada.userId));
    const payload = { type: 'test', realm_name: '', realm_url: '', user_id: ada.userId, time: 0 } as const;
    const sizesFor = async (count: number): Promise<number[]> => {
      relay.received = [];
      const devices = Array.from({ length: count }, () => device!);
      await deliver(services, services.relay!, 'uuid', [{ userId: ada.userId, devices, payload }]);
      return relay.received.map(({ body }) => body.push_requests.length);
    };
    expect(await sizesFor(100)).toEqual([100]);
    expect(await sizesFor(101)).toEqual([100, 1]);
  });

  test('Repeats notifications after a crash before it noted them', async () => {
    loseHints();
    await bo.sendDirect([ada.userId], 'one');
    const dying = dyingAt((item) => item.messageIds !== undefined);
    await expect(notifyDevices(dying)).rejects.toThrow('The worker died');
    await notifyDevices(services);
    expect(await contents()).toEqual(['one', 'one']);
  });

  test('Repeats no noted notification, wherever it crashed', async () => {
    loseHints();
    await bo.sendDirect([ada.userId], 'one');
    const dying = dyingAt((item) => item.position !== undefined);
    await expect(notifyDevices(dying)).rejects.toThrow('The worker died');
    await notifyDevices(services);
    expect(await contents()).toEqual(['one']);
  });

  test('Replaces a crashed one after a minute', async () => {
    loseHints();
    await bo.sendDirect([ada.userId], 'one');
    const { table, clock } = services;
    const claimedUntilMs = clock.nowMs() + 60_000;
    const dead = { claimId: 'dead', claimedUntilMs };
    await table.write({ kind: 'update', key: userKeys.notifier(), set: dead });
    await notifyDevices(services);
    expect(await contents()).toEqual([]);
    service.advance(61_000);
    await notifyDevices(services);
    expect(await contents()).toEqual(['one']);
  });

  test('Continues with new messages after it was down until the next entries had expired', async () => {
    await service.settle();
    loseHints();
    const position = await readCounter(services.table);
    for (const word of ['one', 'two', 'three'])
      await bo.post('/users/me/alert_words', { alert_words: [word] });
    await expireEntries(services, position + 1, position + 2);
    await moveLowWaterMark(services, position + 3);
    service.advance(2_000);
    await notifyDevices(services);
    await bo.sendDirect([ada.userId], 'new');
    await notifyDevices(services);
    expect(await contents()).toEqual(['new']);
  });

  test('Does not notify of messages that were read before it ran', async () => {
    loseHints();
    const [first] = [await bo.sendDirect([ada.userId], 'one'), await bo.sendDirect([ada.userId], 'two')];
    await ada.post('/messages/flags', { messages: [first], op: 'add', flag: 'read' });
    await notifyDevices(services);
    expect(await contents()).toEqual(['two']);
  });

  test('Removes a device whose key can no longer be decrypted', async () => {
    const { secret } = services;
    const queue = await ada.listen({ event_types: ['device'] });
    loseHints();
    await bo.sendDirect([ada.userId], 'one');
    await notifyDevices({ ...services, secret: async () => `not ${await secret()}` });
    expect(relay.received).toEqual([]);
    expect(await queue.drain()).toMatchObject([{ op: 'update', push_token_id: null }]);
  });
});

test('The newest thousand notified messages of a user are remembered', async () => {
  const key = userKeys.pushedMessages(ada.userId);
  const older = Array.from({ length: 1_000 }, (_, n) => -1 - n);
  await services.table.write({ kind: 'put', item: { ...key, messageIds: new Set(older) } });
  const id = await bo.sendDirect([ada.userId], 'the newest');
  expect(await contents()).toEqual(['the newest']);
  const { messageIds } = (await services.table.find(key)) as { messageIds: Set<number> };
  expect([...messageIds].sort((a, b) => a - b)).toEqual([...older.reverse().slice(1), id]);
});
