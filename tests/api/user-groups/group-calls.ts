import { expect } from 'vitest';
import type { Client, EventQueue, Params, ReceivedEvent, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';

let nameCount = 0;

/** A group name that no other test of the file uses. */
export const newName = (prefix = 'group'): string => `${prefix} ${++nameCount}`;

export const create = (client: Client, params: Params = {}): Promise<Reply> =>
  client.post('/user_groups/create', { name: newName(), description: '', members: [], ...params });

/** A group of its own for a test. */
export async function createGroup(
  client: Client,
  members: Client[] = [],
  params: Params = {},
): Promise<number> {
  const { status, body } = await create(client, { members: members.map(({ userId }) => userId), ...params });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.group_id;
}

export const edit = (client: Client, groupId: number, params: Params): Promise<Reply> =>
  client.patch(`/user_groups/${groupId}`, params);

export const change = (client: Client, groupId: number, params: Params): Promise<Reply> =>
  client.post(`/user_groups/${groupId}/members`, params);

export const deactivate = (client: Client, groupId: number): Promise<Reply> =>
  client.post(`/user_groups/${groupId}/deactivate`);

/** An anonymous group of users. */
export const people = (...clients: Client[]) => ({
  direct_members: clients.map(({ userId }) => userId),
  direct_subgroups: [] as number[],
});

/** An anonymous group of groups. */
export const groups = (...direct_subgroups: number[]) => ({
  direct_members: [] as number[],
  direct_subgroups,
});

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

export const succeeds = (reply: Reply): void => expect(reply.status, JSON.stringify(reply.body)).toBe(200);
