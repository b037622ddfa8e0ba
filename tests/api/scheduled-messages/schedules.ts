import { expect } from 'vitest';
import { deliverScheduledMessage } from '#functions/workers/deliver-scheduled-message.ts';
import type { Client, Params, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import type { TestService } from '#tests/harness/service.ts';

/** A time this many seconds from now, by the clock of this machine. */
export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

export const HOUR = 3600;

/** Schedules a message, an hour ahead unless another time is given, and returns its id. */
export async function schedule(sender: Client, params: Params): Promise<number> {
  const { status, body } = await sender.post('/scheduled_messages', {
    type: 'channel',
    topic: 'topic',
    content: 'later',
    scheduled_delivery_timestamp: inSeconds(HOUR),
    ...params,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.scheduled_message_id;
}

/** Schedules a message for the next seconds: later ones if a busy machine takes too long. */
export async function scheduleSoon(sender: Client, params: Params): Promise<number> {
  for (let ahead = 2; ; ahead *= 2) {
    const scheduled_delivery_timestamp = inSeconds(ahead);
    const { status, body } = await sender.post('/scheduled_messages', {
      ...params,
      scheduled_delivery_timestamp,
    });
    if (status === 200) return body.scheduled_message_id;
    expect(body.msg).toBe('Scheduled delivery time must be in the future.');
  }
}

/** Less than an idle queue lives, and more than a schedule may fire early. */
export const AHEAD = 300;

/** Calls by the clock of the service, which tests set ahead; its own schedules wait by the real one. */
export function deliveriesOf(service: TestService) {
  const nowSeconds = () => Math.floor(service.services.clock.nowMs() / 1000);
  const deliver = (sender: Client, scheduledMessageId: number) =>
    deliverScheduledMessage(service.services, { userId: sender.userId, scheduledMessageId });
  const scheduleAhead = (sender: Client, params: Params, seconds = AHEAD) =>
    schedule(sender, { scheduled_delivery_timestamp: nowSeconds() + seconds, ...params });
  const scene = async () => {
    const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
    return { ada, bo, room: await createChannel(service, [ada, bo]) };
  };
  return { nowSeconds, deliver, scheduleAhead, scene };
}

export const expectNotScheduled = (reply: Reply): void =>
  expectRefusal(reply, 'Scheduled message does not exist', { status: 404 });

export async function recordOf(client: Client, id: number) {
  const records = await listScheduled(client);
  return records.find((record: { scheduled_message_id: number }) => record.scheduled_message_id === id);
}

export async function listScheduled(client: Client) {
  const { status, body } = await client.get('/scheduled_messages');
  expect(status, JSON.stringify(body)).toBe(200);
  return body.scheduled_messages;
}
