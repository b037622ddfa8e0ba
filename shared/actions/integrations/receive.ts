import { hash } from 'node:crypto';
import { commitPrepared, prepareMessage } from '#shared/actions/messages/send-message.ts';
import { BadRequest, ChannelDoesNotExist, DeclaredError, RateLimitHit } from '#shared/domain/errors.ts';
import type { BotConfiguration } from '#shared/domain/integrations/bot-integration.ts';
import { decodeDelivery, type Sent } from '#shared/domain/integrations/decode.ts';
import { AnomalousWebhookPayload } from '#shared/domain/integrations/errors.ts';
import {
  clientNameOf,
  type Delivery,
  type Integration,
  type Note,
} from '#shared/domain/integrations/integration.ts';
import { webhookLimit, windowEndSeconds } from '#shared/domain/integrations/limit.ts';
import { describeFailureToOwner } from '#shared/domain/integrations/notices.ts';
import { type EventFilter, type Reading, readDelivery } from '#shared/domain/integrations/read.ts';
import { requireSigned } from '#shared/domain/integrations/signature.ts';
import { checkContent } from '#shared/domain/messages/compose.ts';
import type { Address } from '#shared/domain/messages/destination.ts';
import { checkTopic } from '#shared/domain/messages/topic.ts';
import { inEnglish, type Say } from '#shared/domain/texts/texts.ts';
import type { Account } from '#shared/domain/users/user.ts';
import { Overtaken, withFreshState } from '#shared/log/commit.ts';
import { KeyedRequest } from '#shared/log/keyed-request.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getBotConfiguration, keepWebhookDelivery } from '#shared/store/integrations/bot-configuration.ts';
import { addRequests } from '#shared/store/limits/request-counts.ts';
import { notifyOwner } from './notify-owner.ts';
import { noticeUnread } from './send-as-bot.ts';

/** A request of a sender to an integration, with the parameters of the address. */
export interface Received {
  integration: Integration;
  sent: Sent;
  /** A channel by name or id; a direct message to the bot's owner if absent. */
  channel: string | undefined;
  topic: string | undefined;
  filter: EventFilter;
  /** The secret in the address. */
  secret: string | undefined;
  /** Reads the delivery, and sends nothing. */
  isPreview: boolean;
}

/** The outcome of a delivery that was not refused. */
interface Receipt {
  notes: Note[];
  fields: Record<string, unknown>;
}

/**
 * Sends the messages of a delivery, keeps its outcome for the owner of the bot, and notifies the owner of failures that
 * only the owner can mend. Returns the messages, and further fields of the reply.
 * @throws DeclaredError with the texts of the protocol
 */
export async function receiveDelivery(
  services: Services,
  caller: Account,
  received: Received,
): Promise<Receipt> {
  const { integration, isPreview } = received;
  const outcome: Reading = { events: [], notes: [] };
  try {
    const delivery = await openDelivery(services, caller, received);
    Object.assign(outcome, read(integration, delivery, received.filter));
    const fields = integration.replies?.(delivery, caller) ?? {};
    if (isPreview) return { notes: outcome.notes, fields };
    await requireRoom(services, caller, integration, outcome.notes.length);
    for (const [index, note] of outcome.notes.entries())
      await sendNote(services, caller, received, note, keyOf(integration, delivery, note, index));
    await keep(services, caller, received, outcome);
    return { notes: outcome.notes, fields };
  } catch (failure) {
    if (!(failure instanceof DeclaredError) || isPreview) throw failure;
    await keep(services, caller, received, { ...outcome, notes: [] }, failure);
    const describe = (say: Say) => describeFailureToOwner(integration, caller.fullName, failure, say);
    if (describe(inEnglish) !== undefined) await notifyOwner(services, caller, (say) => describe(say) ?? '');
    // Senders disable an address that refuses them for long; the owner knows.
    if (failure instanceof ChannelDoesNotExist) return { notes: [], fields: {} };
    throw failure;
  }
}

/** The payload of the request, once its signature is right. @throws BadRequest, InvalidJson */
async function openDelivery(
  services: Services,
  caller: Account,
  { integration, sent, secret }: Received,
): Promise<Delivery> {
  const configuration = needsConfiguration(integration)
    ? await getBotConfiguration(services.table, caller.userId)
    : {};
  requireSignature(integration, sent, [configuration.webhook_secret, secret], services.clock.nowMs());
  return withConfiguration(decodeDelivery(integration, sent), configuration);
}

const needsConfiguration = ({ signature, configuration }: Integration): boolean =>
  signature !== undefined || configuration !== undefined;

function requireSignature(
  { signature }: Integration,
  sent: Sent,
  secrets: (string | undefined)[],
  nowMs: number,
): void {
  if (!signature) return;
  for (const secret of secrets) {
    if (secret === undefined) continue;
    if (secret === '')
      throw new BadRequest(
        'The webhook secret is missing. Please set the webhook_secret while generating the URL.',
      );
    requireSigned(signature, secret, { ...sent, nowSeconds: toSeconds(nowMs) });
  }
}

/** Options that the address does not set have the values that the bot keeps. */
const withConfiguration = (delivery: Delivery, configuration: BotConfiguration): Delivery => ({
  ...delivery,
  option: (name) => delivery.option(name) ?? configuration[name],
});

/** A payload that breaks a declaration is an error of the declaration, but not of the service. */
function read(integration: Integration, delivery: Delivery, filter: EventFilter): Reading {
  try {
    return readDelivery(integration, delivery, filter);
  } catch (failure) {
    if (failure instanceof DeclaredError) throw failure;
    logLine('error', 'An integration could not read a payload', {
      integration: integration.slug,
      ...describeFailure(failure),
    });
    throw new AnomalousWebhookPayload(integration.displayName);
  }
}

/** @throws RateLimitHit if the bot has sent too many messages of the integration in this minute */
async function requireRoom(
  services: Services,
  { userId }: Account,
  { slug }: Integration,
  count: number,
): Promise<void> {
  if (count === 0) return;
  const nowSeconds = toSeconds(services.clock.nowMs());
  const endSeconds = windowEndSeconds(nowSeconds);
  const sent = await addRequests(services.table, `webhook ${slug} ${userId}`, endSeconds, count);
  if (sent > webhookLimit.messages) throw new RateLimitHit(endSeconds - nowSeconds);
}

/** Names one message of a delivery; undefined if the sender does not name its deliveries. */
function keyOf(
  { slug, deliveryIds = [] }: Integration,
  { header }: Delivery,
  { topic, content }: Note,
  index: number,
): string | undefined {
  const id = [...deliveryIds, 'idempotency-key']
    .map(header)
    .find((value) => value !== undefined && value !== '');
  return id === undefined
    ? undefined
    : `webhook:${hash('sha256', JSON.stringify([slug, id, index, topic, content]), 'base64url')}`;
}

/** Sends one message; of several deliveries with the same key only the first does. */
async function sendNote(
  services: Services,
  caller: Account,
  received: Received,
  note: Note,
  key: string | undefined,
): Promise<void> {
  const sending = {
    address: addressOf(caller, received, note),
    content: checkContent(note.content),
    client: clientNameOf(received.integration),
    isReadBySender: false,
  };
  const name = { userId: caller.userId, key: key ?? '', digest: '' };
  await withFreshState(services, async () => {
    const request =
      key === undefined ? undefined : new KeyedRequest(services, name, caller.apiKeyDigest ?? '');
    if (await request?.look()) return;
    const sender = { ...caller };
    const prepared = await prepareMessage(services, sender, sending);
    try {
      await commitPrepared(services, prepared, { retry: request });
    } catch (failure) {
      if (!(failure instanceof Overtaken)) throw failure;
    }
    await noticeUnread(services, caller, prepared);
  });
}

/** @throws BadRequest for a person who names no channel */
function addressOf(caller: Account, { channel, topic }: Received, note: Note): Address {
  if (channel !== undefined) {
    const named = /^\d{1,10}$/.test(channel) ? Number(channel) : channel;
    return { kind: 'channel', channel: named, topic: topic === undefined ? note.topic : checkTopic(topic) };
  }
  if (!caller.isBot || caller.botOwnerId === null)
    throw new BadRequest('A key of a person needs a channel: add `stream` to the address.');
  return { kind: 'direct', users: [caller.botOwnerId] };
}

async function keep(
  { table, clock, ids }: Services,
  { userId, isBot }: Account,
  { integration }: Received,
  { events, notes }: Reading,
  failure?: DeclaredError,
): Promise<void> {
  if (!isBot) return;
  const delivery = {
    atMs: clock.nowMs(),
    integration: integration.slug,
    events: events.slice(0, 5),
    messages: notes.length,
    ...(failure && { error: failure.message }),
  };
  try {
    await keepWebhookDelivery(table, userId, delivery, ids.uuid());
  } catch (lost) {
    logLine('warn', 'The outcome of a delivery could not be kept', describeFailure(lost));
  }
}
