import { describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Params } from '#tests/harness/client.ts';
import { createChannel, drainMessages } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { AHEAD, deliveriesOf, listScheduled } from './schedules.ts';

const service = await startTestService();
const { nowSeconds, deliver, scheduleAhead, scene } = deliveriesOf(service);

describe('The delivery of a scheduled message', () => {
  test('Names a private channel only if its sender may still know it', async () => {
    const { ada, bo, room } = await scene();
    const secret = await createChannel(service, [bo, ada], { invite_only: true });
    const content = `see #**${secret.name}**`;
    const id = await scheduleAhead(ada, { to: room.channelId, topic: 'Logo', content });
    await ada.delete('/users/me/subscriptions', { subscriptions: [secret.name] });
    const queue = await bo.listen({ apply_markdown: true });
    service.advance(AHEAD * 1000);
    await deliver(ada, id);
    const [message] = await drainMessages(queue);
    expect(message.content).toBe(`<p>see #<strong>${secret.name}</strong></p>`);
  });

  test(
    'Creates a message with another id, and removes it from the list',
    proves('create-scheduled-message.1', 'create-scheduled-message.4', 'create-scheduled-message.23'),
    async () => {
      const { ada, bo, room } = await scene();
      const id = await scheduleAhead(ada, { to: room.channelId, topic: 'Logo', content: '**later**' });
      const [adas, bos] = [await ada.listen(), await bo.listen({ apply_markdown: true })];
      service.advance(AHEAD * 1000);
      await deliver(ada, id);
      const { body } = await adas.poll();
      expect(body.events).toMatchObject([
        { type: 'scheduled_messages', op: 'remove', scheduled_message_id: id },
        { type: 'user_topic', topic_name: 'Logo', visibility_policy: 3 },
        { type: 'muted_topics', muted_topics: [] },
        { type: 'message', message: { subject: 'Logo', content: '**later**', sender_id: ada.userId } },
      ]);
      const [message] = await drainMessages(bos);
      const { id: messageId } = body.events[3].message;
      expect(message).toMatchObject({ id: messageId, content: '<p><strong>later</strong></p>' });
      expect(message.timestamp).toBeGreaterThanOrEqual(nowSeconds() - 60);
      expect(await listScheduled(ada)).toEqual([]);
    },
  );

  test('Happens once, however often and by whomever it is started', async () => {
    const { ada, bo, room } = await scene();
    const id = await scheduleAhead(ada, { to: room.channelId });
    const queue = await bo.listen();
    service.advance(AHEAD * 1000);
    const { services } = service;
    const attempt = () => deliver(ada, id);
    await Promise.all([attempt(), attempt(), sweep(services), attempt(), sweep(services)]);
    await deliver(ada, id);
    expect(await drainMessages(queue)).toHaveLength(1);
  });

  test('Happens by the sweep if no schedule fired', async () => {
    const { ada, bo, room } = await scene();
    await scheduleAhead(ada, { to: room.channelId, content: 'second' }, AHEAD + 10);
    await scheduleAhead(bo, { to: room.channelId, content: 'first' });
    await scheduleAhead(bo, { to: room.channelId, content: 'not yet' }, 2 * AHEAD);
    const queue = await bo.listen();
    service.advance((AHEAD + 20) * 1000);
    await sweep(service.services);
    expect((await drainMessages(queue)).map(({ content }) => content)).toEqual(['first', 'second']);
  });

  test(
    'Names the program that scheduled it, and is read by the sender on request',
    proves('create-scheduled-message.17', 'create-scheduled-message.18', 'create-scheduled-message.27'),
    async () => {
      const { ada, bo, room } = await scene();
      const queue = await ada.listen();
      const flagsOf = async (params: Params, agent: string) => {
        const scheduled_delivery_timestamp = nowSeconds() + AHEAD;
        const message = { type: 'channel', to: room.channelId, topic: 't', content: 'x', ...params };
        const headers = { 'user-agent': agent };
        const scheduled = { ...message, scheduled_delivery_timestamp };
        const reply = await ada.post('/scheduled_messages', scheduled, { headers });
        service.advance(AHEAD * 1000);
        await deliver(ada, reply.body.scheduled_message_id);
        const event = (await queue.drain()).find(({ type }) => type === 'message');
        expect(event?.message.client).toBe(agent);
        return event?.flags;
      };
      expect(await flagsOf({}, 'website')).toEqual(['read']);
      expect(await flagsOf({}, 'script')).toEqual([]);
      expect(await flagsOf({ read_by_sender: true }, 'script')).toEqual(['read']);
      expect(await flagsOf({ read_by_sender: false }, 'website')).toEqual([]);
      expect(await flagsOf({ type: 'direct', to: [bo.userId] }, 'website')).toEqual(['read']);
      expect(await flagsOf({ type: 'direct', to: [ada.userId] }, 'website')).toEqual([]);
    },
  );
});

describe('A schedule that fires before the time', () => {
  test('Sends nothing if it is too early', proves('create-scheduled-message.22'), async () => {
    const { ada, bo, room } = await scene();
    const id = await scheduleAhead(ada, { to: room.channelId });
    const queue = await bo.listen();
    await deliver(ada, id);
    await sweep(service.services);
    expect(await drainMessages(queue)).toEqual([]);
    expect(await listScheduled(ada)).toMatchObject([{ scheduled_message_id: id, failed: false }]);
  });

  test('Waits for the moment if it is a little early', async () => {
    const { ada, bo, room } = await scene();
    const queue = await bo.listen();
    const at = nowSeconds() + 60;
    const id = await scheduleAhead(ada, { to: room.channelId, scheduled_delivery_timestamp: at });
    const { clock } = service.services;
    const { sleep } = clock;
    clock.sleep = async (delayMs) => service.advance(delayMs);
    await deliver(ada, id);
    clock.sleep = sleep;
    expect(clock.nowMs()).toBeGreaterThanOrEqual(at * 1000);
    const [message, ...others] = await drainMessages(queue);
    expect(message.timestamp).toBeGreaterThanOrEqual(at);
    expect(others).toEqual([]);
  });

  test('Moves with an edit, and the last edited text is sent', async () => {
    const { ada, bo, room } = await scene();
    const id = await scheduleAhead(ada, { to: room.channelId });
    const later = nowSeconds() + 3 * AHEAD;
    await ada.patch(`/scheduled_messages/${id}`, { content: 'edited', scheduled_delivery_timestamp: later });
    const queue = await bo.listen();
    service.advance(AHEAD * 1000);
    await deliver(ada, id);
    expect(await drainMessages(queue)).toEqual([]);
    service.advance(2 * AHEAD * 1000);
    await deliver(ada, id);
    expect((await drainMessages(queue)).map(({ content }) => content)).toEqual(['edited']);
  });

  test('Competes with an edit or a deletion, which happens before the delivery or too late', async () => {
    const { ada, bo, room } = await scene();
    const queue = await bo.listen();
    for (let round = 0; round < 5; round++) {
      const id = await scheduleAhead(ada, { to: room.channelId, content: `old ${round}` });
      service.advance((AHEAD - 30) * 1000);
      const params = { content: `new ${round}` };
      const [edited, deleted] = await Promise.all([
        ada.patch(`/scheduled_messages/${id}`, params),
        round % 2 === 0 ? undefined : ada.delete(`/scheduled_messages/${id}`),
        (async () => {
          service.advance(30_000);
          await deliver(ada, id);
        })(),
      ]);
      await deliver(ada, id);
      const contents = (await drainMessages(queue)).map(({ content }) => content);
      if (deleted?.status === 200) expect(contents).toEqual([]);
      else expect(contents).toEqual([edited.status === 200 ? `new ${round}` : `old ${round}`]);
    }
  });
});
