import { expect } from 'vitest';
import type { Client, Params } from '#tests/harness/client.ts';

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

export async function listScheduled(client: Client) {
  const { status, body } = await client.get('/scheduled_messages');
  expect(status, JSON.stringify(body)).toBe(200);
  return body.scheduled_messages;
}
