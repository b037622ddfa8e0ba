import { expect } from 'vitest';
import type { Client, Params, Reply } from '#tests/harness/client.ts';

export interface Group {
  id: number;
  name: string;
  description: string;
  streams: number[];
}

const PATH = '/default_stream_groups';

export const create = (client: Client, group_name: string, stream_names: string[], params: Params = {}) =>
  client.post(`${PATH}/create`, { group_name, description: 'For newcomers', stream_names, ...params });
export const edit = (client: Client, id: number, params: Params): Promise<Reply> =>
  client.patch(`${PATH}/${id}`, params);
export const editChannels = (client: Client, id: number, op: string, stream_names: string[]) =>
  client.patch(`${PATH}/${id}/streams`, { op, stream_names });
export const remove = (client: Client, id: number): Promise<Reply> => client.delete(`${PATH}/${id}`);

/** The groups in register. */
export async function groupsSeenBy(client: Client): Promise<Group[]> {
  const { snapshot } = await client.register({ fetch_event_types: ['default_stream_groups'] });
  return snapshot.realm_default_stream_groups;
}

let count = 0;
export const groupName = (): string => `group ${++count}`;

/** A group with these channels, made by an administrator. */
export async function createGroup(client: Client, channels: string[]): Promise<Group> {
  const name = groupName();
  const { status, body } = await create(client, name, channels);
  expect(status, JSON.stringify(body)).toBe(200);
  return (await groupsSeenBy(client)).find((one) => one.name === name) as Group;
}

export const unknownGroup = (id: number): string => `Default channel group with id '${id}' does not exist.`;
