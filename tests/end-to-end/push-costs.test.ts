import { beforeEach, describe, expect, test, vi } from 'vitest';
import { wakeNotifier } from '#shared/log/wake.ts';
import { notifyDevices } from '#shared/push/notify.ts';
import { subscribeInBulk } from '#tests/harness/bulk-people.ts';
import type { Client } from '#tests/harness/client.ts';
import { messageFor, withCalls } from '#tests/harness/log.ts';
import { addPhone, attachRelay, type Phone } from '#tests/harness/relay.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

let ada: Client;
let bo: Client;
let phone: Phone;
const service = await startTestService();
const relay = await attachRelay(service);
beforeEach(async () => {
  [ada, bo] = await createUsers(service, 'Ada', 'Bo');
  phone = await addPhone(service, ada);
  relay.received = [];
});

describe('The capacity of notifications', () => {
  const CROWD = 10_000;

  test('Keeps a send within its budget, and the worker reads devices and not subscribers', async () => {
    const [cy] = await createUsers(service, 'Cy');
    const phones = [await addPhone(service, cy), await addPhone(service, bo)];
    const { name, channelId } = await createChannel(service, [bo, ada, cy]);
    await subscribeInBulk(service, channelId, CROWD);
    await ada.post('/user_topics', { stream_id: channelId, topic: 'plans', visibility_policy: 3 });
    await bo.send(name, 'plans', 'the first of the topic');
    await service.settle();
    relay.received = [];
    // As functions do, whose memory lasts for a minute.
    service.services.config.pushMemoryMs = 60_000;
    await bo.send(name, 'plans', 'the second');
    service.services.config.pushMemoryMs = 0;
    await service.settle();
    relay.received = [];
    // As if the bus lost every hint.
    vi.spyOn(service.services.bus, 'wakeNotifier').mockResolvedValue(undefined);
    service.meter.reset();
    await bo.send(name, 'plans', 'x'.repeat(200));
    expect(service.meter.write).toBeLessThanOrEqual(6);
    expect(service.meter.read).toBeLessThanOrEqual(4);
    service.meter.reset();
    await notifyDevices(service.services);
    await service.settle();
    expect(relay.sentTo(phone)).toHaveLength(1);
    expect(relay.sentTo(phones[0]!)).toEqual([]);
    expect(service.meter.read).toBeLessThanOrEqual(15);
    expect(service.meter.write).toBeLessThanOrEqual(4);
  });

  test('Includes one read a minute for the existence of devices, in each function', async () => {
    const { services } = service;
    let nowMs = services.clock.nowMs();
    let looks = 0;
    const other = withCalls(services, (table) => ({
      find: async (key, options) => {
        looks++;
        return table.find(key, options);
      },
    }));
    const config = { ...services.config, pushMemoryMs: 60_000 };
    const clock = { ...services.clock, nowMs: () => nowMs };
    const wakes: number[] = [];
    const bus = { ...services.bus, wakeNotifier: async (position: number) => void wakes.push(position) };
    const { message } = await messageFor(services, ada.userId, 'hello');
    const say = (position: number) =>
      wakeNotifier({ ...other, config, clock, bus }, { message: message! }, position);
    await say(1);
    nowMs += 59_999;
    await say(2);
    expect(looks).toBe(1);
    nowMs += 1;
    await say(3);
    expect(looks).toBe(2);
    expect(wakes).toEqual([1, 2, 3]);
  });

  test('Stays zero without a device, and without a relay', async () => {
    const quiet = await startTestService({ pushMemoryMs: 60_000 });
    const [sender, receiver] = await createUsers(quiet, 'Sender', 'Receiver');
    const cost = async () => {
      quiet.meter.reset();
      await sender.sendDirect([receiver.userId], 'hello');
      await quiet.settle();
      return { ...quiet.meter };
    };
    await cost();
    const withoutRelay = await cost();
    await attachRelay(quiet);
    const first = await cost();
    expect(first.read - withoutRelay.read).toBe(0.5);
    expect(await cost()).toEqual(withoutRelay);
    quiet.meter.reset();
    await notifyDevices(quiet.services);
    expect(quiet.meter).toMatchObject({ read: 1, write: 0 });
  });
});
