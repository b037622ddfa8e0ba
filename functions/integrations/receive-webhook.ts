import * as z from 'zod/mini';
import { receiveDelivery } from '#shared/actions/integrations/receive.ts';
import { findIntegration } from '#shared/actions/integrations/registry.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional, text, withDefault } from '#shared/api/parameters.ts';
import {
  BadRequest,
  ChannelDoesNotExist,
  DeclaredError,
  MissingArgument,
  UnknownEndpoint,
} from '#shared/domain/errors.ts';
import {
  AnomalousWebhookPayload,
  InvalidJson,
  MissingHttpEventHeader,
  UnsupportedWebhookEventType,
} from '#shared/domain/integrations/errors.ts';
import { decodedAgain, type Integration } from '#shared/domain/integrations/integration.ts';
import { ChannelWildcardNotAllowed, TopicWildcardNotAllowed } from '#shared/domain/messages/errors.ts';

const patterns = json(
  z.array(z.string()),
  'Names of events, which may contain `*`, `?` and `[ab]`; ignored by integrations without events',
);

/** Turns a request of another program into messages of a bot. */
export const receiveWebhook = endpoint({
  route: 'POST /external/{integration}',
  summary: 'Receive a webhook of another program',
  allow: 'user',
  takesWebhooks: true,
  takesDeliveries: true,
  params: {
    integration: text(z.string(), 'The program that sends, as `docs/integrations` lists them'),
    api_key: optional(text(z.string(), 'The key of the bot; HTTP Basic may replace it')),
    stream: optional(
      text(z.string(), 'A channel by name or id; without one the bot writes to its owner directly'),
    ),
    topic: optional(text(z.string(), 'Replaces the topic of the integration')),
    only_events: optional({ ...patterns, description: `Only these events. ${patterns.description}` }),
    exclude_events: optional({ ...patterns, description: `Not these events. ${patterns.description}` }),
    webhook_secret: optional(text(z.string(), 'The secret that the sender signs its requests with')),
    preview: withDefault(json(z.boolean(), 'Return the messages instead of sending them'), false),
  },
  result: z.object({
    ok: z.optional(z.boolean()),
    challenge: z.optional(z.string()),
    full_name: z.optional(z.string()),
    email: z.optional(z.string()),
    id: z.optional(z.int()),
    messages: z.optional(z.array(z.object({ topic: z.string(), content: z.string() }))),
  }),
  errors: [
    AnomalousWebhookPayload,
    BadRequest,
    ChannelDoesNotExist,
    ChannelWildcardNotAllowed,
    InvalidJson,
    MissingArgument,
    MissingHttpEventHeader,
    TopicWildcardNotAllowed,
    UnknownEndpoint,
    UnsupportedWebhookEventType,
  ],
  emits: ['message', 'muted_topics', 'stream/update', 'realm_user/add', 'user_topic', 'attachment/update'],
  uses: {
    table: 'write',
    areas: ['accounts', 'messages', 'drafts', 'scheduled', 'uploads', 'answers'],
    bus: true,
  },
  async handle(params, { services, caller, sent }) {
    const integration = await findIntegration(params.integration);
    if (!integration || !sent) throw new UnknownEndpoint();
    const received = {
      integration,
      sent,
      ...placeOf(integration, params),
      filter: { only: params.only_events, except: params.exclude_events },
      secret: params.webhook_secret,
      isPreview: params.preview,
    };
    try {
      const { notes, fields } = await receiveDelivery(services, caller, received);
      return params.preview ? { messages: notes } : fields;
    } catch (failure) {
      // Programs that speak to Slack look at these fields only.
      if (failure instanceof DeclaredError && integration.refusesLikeSlack)
        Object.assign(failure.fields, { ok: false, error: failure.message });
      throw failure;
    }
  },
});

export const handler = lambda(receiveWebhook, awsServices);

/** The channel and topic of the address. */
function placeOf(
  { encodesTwice }: Integration,
  { stream, topic }: { stream?: string | undefined; topic?: string | undefined },
) {
  const read = (input: string | undefined) =>
    encodesTwice && input !== undefined ? decodedAgain(input) : input;
  return { channel: read(stream)?.trim() || undefined, topic: read(topic) };
}
