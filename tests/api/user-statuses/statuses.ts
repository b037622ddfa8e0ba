import { expect } from 'vitest';
import type { Client, Params, Reply } from '#tests/harness/client.ts';

export const PALM = { emoji_name: 'palm_tree', emoji_code: '1f334', reaction_type: 'unicode_emoji' };

export const say = (client: Client, params: Params): Promise<Reply> =>
  client.post('/users/me/status', params);

/** A change that has to succeed. */
export async function saying(client: Client, params: Params): Promise<void> {
  const { status, body } = await say(client, params);
  expect({ status, ...body }).toMatchObject({ status: 200, result: 'success', msg: '' });
}

export async function statusOf(viewer: Client, { userId }: Client) {
  const { status, body } = await viewer.get(`/users/${userId}/status`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.status;
}

export const listenToStatuses = (client: Client) =>
  client.register({ event_types: ['user_status'], fetch_event_types: [] });

/** The statuses that a client that registers now receives, by user. */
export const registeredStatuses = async (viewer: Client) =>
  (await viewer.register({ fetch_event_types: ['user_status'] })).snapshot.user_status;
