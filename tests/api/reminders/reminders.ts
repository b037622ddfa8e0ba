import { expect } from 'vitest';
import type { Client, Params } from '#tests/harness/client.ts';

/** Requests a reminder and returns its id. */
export async function remind(user: Client, params: Params): Promise<number> {
  const { status, body } = await user.post('/reminders', params);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.reminder_id;
}

/** An hour from now, by the clock of this machine. */
export const soon = (): number => Math.floor(Date.now() / 1000) + 3600;

export async function reminderOf(user: Client, id: number) {
  const reminders = await listReminders(user);
  return reminders.find((reminder: { reminder_id: number }) => reminder.reminder_id === id);
}

export async function listReminders(user: Client) {
  const { status, body } = await user.get('/reminders');
  expect(status, JSON.stringify(body)).toBe(200);
  return body.reminders;
}
