import { expect } from 'vitest';
import { Client, type Params, type Reply } from '#tests/harness/client.ts';

let count = 0;
export const shortName = (): string => `helper${++count}`;

/** A bot of a user's, made by the operation for it. */
export async function createBot(owner: Client, params: Params = {}): Promise<Client> {
  const short_name = shortName();
  const { status, body } = await owner.post('/bots', { full_name: 'Helper', short_name, ...params });
  expect(status, JSON.stringify(body)).toBe(200);
  const email = `${params.short_name ?? short_name}-bot@${new URL(owner.url).hostname}`;
  return new Client(owner.url, { userId: body.user_id, email, apiKey: body.api_key });
}

export const editBot = (by: Client, { userId }: Client, params: Params): Promise<Reply> =>
  by.patch(`/bots/${userId}`, params);

/** The entry of a bot in register. */
export async function botRecordOf(viewer: Client, { userId }: Client) {
  const { snapshot } = await viewer.register({ fetch_event_types: ['realm_bot'] });
  return snapshot.realm_bots.find(({ user_id }: { user_id: number }) => user_id === userId);
}

export const keep = (bot: Client, storage: Params): Promise<Reply> => bot.put('/bot_storage', { storage });

export const storageOf = async (bot: Client) => (await bot.get('/bot_storage')).body.storage;
