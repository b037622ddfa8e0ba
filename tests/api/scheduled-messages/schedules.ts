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

export async function listScheduled(client: Client) {
  const { status, body } = await client.get('/scheduled_messages');
  expect(status, JSON.stringify(body)).toBe(200);
  return body.scheduled_messages;
}
