import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { catalogue } from '#shared/domain/integrations/catalogue.ts';
import { getBotConfiguration, listWebhookDeliveries } from '#shared/store/integrations/bot-configuration.ts';
import { getBot } from '#shared/store/users/bots.ts';

const delivery = z.object({
  timestamp: z.int(),
  integration: z.string(),
  events: z.array(z.string()),
  messages: z.int(),
  error: z.optional(z.string()),
});

/** The integration of an incoming webhook, its configuration and last deliveries, for its owner and administrators. */
export const getBotWebhook = endpoint({
  route: 'GET /bots/{bot_id}/webhook',
  summary: 'Get the integration of a bot and its last deliveries',
  allow: 'human',
  needs: ['administerBot'],
  params: { bot_id: json(z.int(), 'The bot') },
  result: z.object({
    service_name: z.nullable(z.string()),
    setup: z.string(),
    config_options: z.array(z.object({ key: z.string(), label: z.string() })),
    config_data: z.record(z.string(), z.string()),
    deliveries: z.array(delivery),
  }),
  errors: [BadRequest],
  emits: [],
  uses: { table: 'read' },
  async handle(params, { services: { table }, caller }) {
    const { userId, bot } = await getBot(table, caller, params.bot_id);
    const [config_data, deliveries] = await Promise.all([
      getBotConfiguration(table, userId),
      listWebhookDeliveries(table, userId),
    ]);
    const entry = catalogue.find(({ slug }) => slug === bot?.integration);
    return {
      service_name: bot?.integration ?? null,
      setup: entry?.setup ?? '',
      config_options: (entry?.configuration ?? []).map(({ name, label }) => ({ key: name, label })),
      config_data,
      deliveries: deliveries.map(({ atMs, integration, events, messages, error }) => ({
        timestamp: Math.floor(atMs / 1000),
        integration,
        events,
        messages,
        ...(error !== undefined && { error }),
      })),
    };
  },
});

export const handler = lambda(getBotWebhook, awsServices);
