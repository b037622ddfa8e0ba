import { call, readReply } from '#web/net/api.ts';
import { randomId } from '../random-id.ts';
import { WEBHOOK } from './bots.ts';

/** A program that can write into a channel, as `POST /register` describes it. */
export interface Integration {
  name: string;
  display_name: string;
  /** null if it has no events. */
  all_event_types: string[] | null;
  url_options: { key: string; label: string; validator: string }[];
}

/** The stored configuration of a bot's integration, and its recent deliveries. */
export interface BotWebhook {
  service_name: string | null;
  setup: string;
  config_options: { key: string; label: string }[];
  config_data: Record<string, string>;
  deliveries: Delivery[];
}

export interface Delivery {
  timestamp: number;
  integration: string;
  events: string[];
  messages: number;
  error?: string;
}

let listed: Promise<Integration[]> | undefined;

/** The integrations of the service. They are read once, by a queue that ends at once. @throws ApiError */
export function listIntegrations(): Promise<Integration[]> {
  listed ??= readIntegrations().catch((failure) => {
    listed = undefined;
    throw failure;
  });
  return listed;
}

async function readIntegrations(): Promise<Integration[]> {
  const { queue_id, realm_incoming_webhook_bots: integrations } = await call<{
    queue_id: string;
    realm_incoming_webhook_bots: Integration[];
  }>('POST', '/register', { fetch_event_types: ['realm_incoming_webhook_bots'], event_types: ['heartbeat'] });
  // A queue that is left alone ends by itself.
  call('DELETE', '/events', { queue_id }, { tries: 1 }).catch(() => undefined);
  return integrations;
}

/** Makes the bot of an integration, which writes to the channel, and gives its id. @throws ApiError */
export async function createWebhook(
  { name: service, display_name }: Integration,
  { name, channel }: { name: string; channel: string },
): Promise<number> {
  const params = {
    full_name: name || display_name,
    short_name: `${service.replaceAll('_', '-')}-${randomId().slice(0, 6)}`,
    bot_type: WEBHOOK,
    service_name: service,
    default_sending_stream: channel,
  };
  const options = { idempotencyKey: randomId() };
  return (await call<{ user_id: number }>('POST', '/bots', params, options)).user_id;
}

/** The destination of a webhook's messages. Without a channel they go to the bot's owner. */
export interface WebhookPlace {
  channelId: number | undefined;
  topic: string;
}

const placeParams = ({ channelId, topic }: WebhookPlace): Record<string, string> =>
  channelId === undefined
    ? {}
    : { stream: String(channelId), ...(topic.trim() !== '' && { topic: topic.trim() }) };

/** The address that the owner of a bot gives to another program. */
export function webhookAddress(
  service: string,
  apiKey: string,
  place: WebhookPlace,
  options: Record<string, string> = {},
): string {
  const chosen = Object.entries(options).filter(([, value]) => value !== '');
  const query = new URLSearchParams([['api_key', apiKey], ...Object.entries(placeParams(place)), ...chosen]);
  return `${location.origin}/api/v1/external/${service}?${query}`;
}

/** Writes a message by the key of the bot, as another program would. @throws ApiError */
export const sendTest = (apiKey: string, place: WebhookPlace, text: string): Promise<unknown> =>
  call('POST', '/external/slack_incoming', {
    api_key: apiKey,
    ...placeParams(place),
    payload: JSON.stringify({ text }),
  });

/** Renders the templates with a sample, without sending it. @throws ApiError in the words of the service */
export async function previewTemplates(
  apiKey: string,
  templates: Record<string, string>,
  sample: string,
  signal: AbortSignal,
): Promise<{ topic: string; content: string } | undefined> {
  const query = new URLSearchParams({ api_key: apiKey, preview: 'true', ...templates });
  const response = await fetch(`/api/v1/external/custom?${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: sample,
    credentials: 'omit',
    signal,
  });
  const { messages } = await readReply<{ messages: { topic: string; content: string }[] }>(response);
  return messages[0];
}
