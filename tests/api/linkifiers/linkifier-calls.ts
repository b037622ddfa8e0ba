import { expect } from 'vitest';
import type { Client, Params, Reply } from '#tests/harness/client.ts';

export const ISSUE = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/issues/{id}' };
/** The capabilities of a client that receives linkifiers. */
export const KNOWS = { client_capabilities: { linkifier_url_template: true } };

export const create = (client: Client, params: Params = ISSUE): Promise<Reply> =>
  client.post('/realm/filters', params);

export async function make(client: Client, params: Params = ISSUE): Promise<number> {
  const { status, body } = await create(client, params);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.id;
}

export async function list(client: Client): Promise<Params[]> {
  const { status, body } = await client.get('/realm/linkifiers');
  expect(status).toBe(200);
  return body.linkifiers;
}

/** Takes away all linkifiers. */
export async function clear(client: Client): Promise<void> {
  for (const { id } of await list(client)) await client.delete(`/realm/filters/${id}`);
}
