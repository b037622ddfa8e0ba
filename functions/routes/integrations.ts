import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { receiveWebhook } from '../integrations/receive-webhook.ts';

/** Other programs that write to the service. */
export const integrationRoutes = {
  receiveWebhook,
} satisfies Record<string, AnyEndpoint>;
