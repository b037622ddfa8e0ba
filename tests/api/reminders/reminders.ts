import { expect } from 'vitest';
import type { Client, Params } from '#tests/harness/client.ts';

/** Requests a reminder and returns its id. */
export async function remind(user: Client, params: Params): Promise<number> {
  const { status, body } = await user.post('/reminders', params);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.reminder_id;
}

export async function listReminders(user: Client) {
  const { status, body } = await user.get('/reminders');
  expect(status, JSON.stringify(body)).toBe(200);
  return body.reminders;
}
