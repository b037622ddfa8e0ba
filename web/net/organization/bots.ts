import { call } from '#web/net/api.ts';
import { attempt } from '#web/net/message-actions.ts';
import { sendPicture } from '#web/net/own-settings.ts';
import { nameOfPerson, server } from '#web/net/store.ts';
import { t } from '#web/texts/texts.ts';
import { randomId } from '../random-id.ts';

export const WEBHOOK = 2;
export const OUTGOING = 3;

/** The kinds of bots that this service runs, as the protocol numbers them. */
export const BOT_KINDS: readonly (readonly [number, string])[] = [
  [1, t('organization.readsAndWritesAsA')],
  [WEBHOOK, t('organization.onlySendsMessages')],
  [OUTGOING, t('organization.callsAServerWhenIt')],
];

/** The formats in which a server is called. */
export const INTERFACES: readonly (readonly [number, string])[] = [
  [1, 'JSON'],
  [2, t('organization.theFormOfSlack')],
];

interface NewBot {
  name: string;
  shortName: string;
  kind: number;
  ownerId: number;
  /** The server of an outgoing webhook. */
  server?: { url: string; format: number } | undefined;
}

/**
 * Creates a bot and gives its id. Its key stays unseen. A bot is created for its creator; one that cannot be given to its
 * owner then stays theirs, and a notice says so. @throws ApiError in the words of the service
 */
export async function createBot({ name, shortName, kind, ownerId, server: called }: NewBot): Promise<number> {
  const service = called && { payload_url: JSON.stringify(called.url), interface_type: called.format };
  const params = { full_name: name, short_name: shortName, bot_type: kind, ...service };
  const options = { idempotencyKey: randomId() };
  const { user_id: id } = await call<{ user_id: number }>('POST', '/bots', params, options);
  if (ownerId !== server.value.user_id)
    await attempt(t('organization.nameIsYoursItWas', { name, name2: nameOfPerson(ownerId) }), () =>
      editBot(id, { bot_owner_id: ownerId }),
    );
  return id;
}

/** @throws ApiError in the words of the service */
export const editBot = (botId: number, changes: Record<string, unknown>): Promise<unknown> =>
  call('PATCH', `/bots/${botId}`, changes);

/** @throws ApiError in the words of the service */
export const setBotPicture = (botId: number, picture: File): Promise<void> =>
  sendPicture(`/bots/${botId}`, picture, { method: 'PATCH' });

/** @throws ApiError in the words of the service */
export const readBotKey = async (botId: number): Promise<string> =>
  (await call<{ api_key: string }>('GET', `/bots/${botId}/api_key`)).api_key;

/** Makes another key; the one of before stops working. @throws ApiError in the words of the service */
export const renewBotKey = async (botId: number): Promise<string> =>
  (await call<{ api_key: string }>('POST', `/bots/${botId}/api_key/regenerate`)).api_key;
