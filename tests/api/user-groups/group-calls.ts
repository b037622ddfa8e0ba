import { expect } from 'vitest';
import type { Client, Params, Reply } from '#tests/harness/client.ts';

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

export const succeeds = (reply: Reply): void => expect(reply.status, JSON.stringify(reply.body)).toBe(200);
