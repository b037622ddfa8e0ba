import { describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { findScheduledMessage } from '#shared/store/scheduled-messages.ts';
import { takeLogged } from '#tests/harness/logged-lines.ts';
import {
  archiveChannel,
  createChannel,
  createUsers,
  drainMessages,
  listenAll,
} from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { AHEAD, deliveriesOf, listScheduled, schedule } from './schedules.ts';

const service = await startTestService();
const { nowSeconds, deliver, scheduleAhead, scene } = deliveriesOf(service);

/** Makes a delivery fail: the sender left the private channel that the message is for. */
async function failedDelivery() {
  const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
  const secret = await createChannel(service, [bo, ada], { invite_only: true });
  const id = await scheduleAhead(ada, { to: secret.channelId, content: 'too late' });
  await ada.delete('/users/me/subscriptions', { subscriptions: [secret.name] });
  await service.settle();
  service.advance(AHEAD * 1000);
  return { ada, bo, secret, id };
}

describe('The scheduler', () => {
  type Request = [what: 'put' | 'remove', id: number, atSeconds?: number];

  /** The requests to the scheduler meanwhile, none of which it executes. */
  async function requestsWhile(act: () => Promise<void>, fails: boolean): Promise<Request[]> {
    const { scheduler } = service.services;
    const { put, remove } = scheduler;
    const requests: Request[] = [];
    const take = async (...request: Request) => {
      requests.push(request);
      if (fails) throw new Error('There is no scheduler');
    };
    scheduler.put = ({ scheduledMessageId }, atSeconds) => take('put', scheduledMessageId, atSeconds);
    scheduler.remove = ({ scheduledMessageId }) => take('remove', scheduledMessageId);
    await act();
    Object.assign(scheduler, { put, remove });
    return requests;
  }

  test('Gets the time of a message, each change of it, and its cancellation', async () => {
    const { ada, room } = await scene();
    const [first, second] = [nowSeconds() + AHEAD, nowSeconds() + 2 * AHEAD];
    let id = 0;
    const requests = await requestsWhile(async () => {
      id = await schedule(ada, { to: room.channelId, scheduled_delivery_timestamp: first });
      await ada.patch(`/scheduled_messages/${id}`, { scheduled_delivery_timestamp: second });
      await ada.delete(`/scheduled_messages/${id}`);
    }, false);
    expect(requests).toEqual([
      ['put', id, first],
      ['put', id, second],
      ['remove', id],
    ]);
  });

  test('May fail, which is logged: the sweep sends due messages, and no deleted ones', async () => {
    const { ada, bo, room } = await scene();
    const queue = await bo.listen();
    takeLogged();
    const requests = await requestsWhile(async () => {
      await scheduleAhead(ada, { to: room.channelId, content: 'comes' });
      const id = await scheduleAhead(ada, { to: room.channelId, content: 'was deleted' });
      expect((await ada.delete(`/scheduled_messages/${id}`)).status).toBe(200);
    }, true);
    expect(requests).toHaveLength(3);
    const message = 'A schedule could not be changed; the sweep will deliver';
    expect(takeLogged()).toMatchObject(requests.map(() => ({ level: 'warn', message })));
    service.advance((AHEAD + 60) * 1000);
    await sweep(service.services);
    await service.settle();
    expect((await drainMessages(queue)).map(({ content }) => content)).toEqual(['comes']);
  });
});

describe('A scheduled message that can no longer be sent', () => {
  test('Stays as failed, and its sender gets an event and a message of the notification bot', async () => {
    const { ada, bo, secret, id } = await failedDelivery();
    const [adas, bos] = await listenAll([ada, bo]);
    await deliver(ada, id);
    await service.settle();
    const [update, notice, ...others] = await adas.drain();
    expect(update).toMatchObject({
      type: 'scheduled_messages',
      op: 'update',
      scheduled_message: { scheduled_message_id: id, failed: true, content: 'too late' },
    });
    expect(notice?.message).toMatchObject({ type: 'private', sender_full_name: 'Notification Bot' });
    expect(notice?.message.content.split('\n')).toEqual([
      expect.stringMatching(/could not be sent, because of the following error:$/),
      '',
      `> Channel with ID '${secret.channelId}' does not exist`,
      '',
      expect.stringMatching(/^You’ll find it under \*\*Scheduled/),
    ]);
    expect(others).toEqual([]);
    expect(await bos.drain()).toEqual([]);
    expect(await listScheduled(ada)).toMatchObject([{ scheduled_message_id: id, failed: true }]);
  });

  test('Causes one notice, and is not tried again', async () => {
    const { ada, id } = await failedDelivery();
    const queue = await ada.listen();
    await Promise.all([deliver(ada, id), deliver(ada, id), sweep(service.services)]);
    await service.settle();
    await sweep(service.services);
    await deliver(ada, id);
    await service.settle();
    expect((await queue.drain()).map(({ type }) => type)).toEqual(['scheduled_messages', 'message']);
  });

  test('Gets another attempt by an edit that sets a new time, and not without one', async () => {
    const { ada, bo, secret, id } = await failedDelivery();
    await deliver(ada, id);
    const refused = await ada.patch(`/scheduled_messages/${id}`, { content: 'x' });
    expect(refused.body.msg).toBe('Scheduled delivery time must be in the future.');
    await bo.subscribe(secret.name, { principals: [ada.userId] });
    await ada.patch(`/scheduled_messages/${id}`, { scheduled_delivery_timestamp: nowSeconds() + AHEAD });
    expect(await listScheduled(ada)).toMatchObject([{ failed: false }]);
    const queue = await bo.listen();
    service.advance(AHEAD * 1000);
    await deliver(ada, id);
    expect((await drainMessages(queue)).map(({ content }) => content)).toEqual(['too late']);
  });

  test('Can be deleted', async () => {
    const { ada, id } = await failedDelivery();
    await deliver(ada, id);
    expect((await ada.delete(`/scheduled_messages/${id}`)).status).toBe(200);
    expect(await listScheduled(ada)).toEqual([]);
  });

  test('Includes messages of a deactivated account', async () => {
    const { ada, bo, room } = await scene();
    const id = await scheduleAhead(ada, { to: room.channelId });
    const queue = await bo.listen();
    await service.deactivate(ada);
    service.advance(AHEAD * 1000);
    await deliver(ada, id);
    await sweep(service.services);
    expect(await drainMessages(queue)).toEqual([]);
    const stored = await findScheduledMessage(service.services.table, ada.userId, id);
    expect(stored?.isFailed).toBe(true);
  });

  test('Includes those to an archived channel or to deactivated people, with the reason', async () => {
    const { ada, bo, room } = await scene();
    const ids = [
      await scheduleAhead(ada, { to: room.channelId }),
      await scheduleAhead(ada, { type: 'direct', to: [bo.userId] }),
    ];
    await archiveChannel(service, room);
    await service.deactivate(bo);
    const queue = await ada.listen();
    service.advance(AHEAD * 1000);
    for (const id of ids) {
      await deliver(ada, id);
      await service.settle();
    }
    const reasons = (await drainMessages(queue)).map(({ content }) => content);
    expect(reasons).toEqual([
      expect.stringContaining(`Not authorized to send to channel '${room.name}'`),
      expect.stringContaining(`'${bo.email}' is no longer using this service.`),
    ]);
    expect(await listScheduled(ada)).toMatchObject([{ failed: true }, { failed: true }]);
  });
});
