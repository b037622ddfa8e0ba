import { expect } from 'vitest';
import type { Client, EventQueue, ReceivedEvent, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';

/** The record of a group, deactivated or not. */
export async function recordOf(client: Client, groupId: number) {
  const { body } = await client.get('/user_groups', { include_deactivated_groups: true });
  return body.user_groups.find(({ id }: { id: number }) => id === groupId);
}

export async function membersOf(client: Client, groupId: number): Promise<number[]> {
  const { status, body } = await client.get(`/user_groups/${groupId}/members`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.members;
}

/** The events about groups that a queue has now, without their ids. */
export async function drainGroups(queue: EventQueue): Promise<Omit<ReceivedEvent, 'id'>[]> {
  const events = await queue.drain();
  return events.filter(({ type }) => type === 'user_group').map(({ id: _id, ...event }) => event);
}

/** The refusal of guests. */
export const expectMembersOnly = (reply: Reply): void =>
  expectRefusal(reply, 'Must be an organization member', { code: 'UNAUTHORIZED_PRINCIPAL' });
