import { expect } from 'vitest';
import type { Client, Params, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';

/** A draft that goes nowhere yet. */
export const unaddressed = { type: '', to: [], topic: '', content: 'thought' };

export const toChannel = (channelId: number, params: Params = {}) => ({
  ...unaddressed,
  type: 'stream',
  to: [channelId],
  topic: 'plans',
  ...params,
});

export const toPeople = (to: number[], params: Params = {}) => ({
  ...unaddressed,
  type: 'private',
  to,
  ...params,
});

/** Creates drafts and returns their ids. */
export async function createDrafts(client: Client, ...drafts: Params[]): Promise<number[]> {
  const { status, body } = await client.post('/drafts', { drafts });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.ids;
}

/** Creates a draft and returns its id. */
export async function createDraft(client: Client, draft: Params = unaddressed): Promise<number> {
  const [id] = await createDrafts(client, draft);
  return id as number;
}

export async function listDrafts(client: Client) {
  const { status, body } = await client.get('/drafts');
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.count).toBe(body.drafts.length);
  return body.drafts;
}

export const editDraft = (client: Client, id: number, draft?: unknown): Promise<Reply> =>
  client.patch(`/drafts/${id}`, { draft });

export const removeDraft = (client: Client, id: number): Promise<Reply> => client.delete(`/drafts/${id}`);

export const expectNoDraft = (reply: Reply): void =>
  expectRefusal(reply, 'Draft does not exist', { status: 404 });

export async function findDraft(client: Client, id: number) {
  const drafts = await listDrafts(client);
  return drafts.find((draft: { id: number }) => draft.id === id);
}

/** The drafts in register, for a client that supports empty topics or not. */
export async function registeredDrafts(client: Client, empty_topic_name = true) {
  const client_capabilities = { empty_topic_name };
  const { snapshot } = await client.register({ fetch_event_types: ['drafts'], client_capabilities });
  return snapshot.drafts;
}

/** Invalid draft objects, by the reference and the protocol, each with its error. */
export const malformed: [string, unknown, string][] = [
  ['type', undefined, '["type"] field is missing: Field required'],
  ['to', undefined, '["to"] field is missing: Field required'],
  ['topic', undefined, '["topic"] field is missing: Field required'],
  ['content', undefined, '["content"] field is missing: Field required'],
  ['to', 5, '["to"] is not a list'],
  ['to', ['5'], '["to"][0] is not an integer'],
  ['topic', null, '["topic"] is not a string'],
  ['content', 7, '["content"] is not a string'],
  ['timestamp', '1', '["timestamp"] is not an integer'],
  ['to', [1.5], '["to"][0] is not an integer'],
  ['timestamp', 253_402_300_800, '["timestamp"] is too large'],
];
export const otherTypes = ['channel', 'direct', 'Stream', 'email', null, 1];
