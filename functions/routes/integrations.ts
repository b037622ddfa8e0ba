import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { getBotWebhook } from '../bots/get-bot-webhook.ts';
import { receiveWebhook } from '../integrations/receive-webhook.ts';

/** Other programs that write to the service. */
export const integrationRoutes = {
  getBotWebhook,
  receiveWebhook,
} satisfies Record<string, AnyEndpoint>;
