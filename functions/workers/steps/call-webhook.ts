import { composeBotReply } from '#shared/actions/messages/bot-message.ts';
import type { Change } from '#shared/domain/change.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import type { User } from '#shared/domain/users/user.ts';
import { isPaused } from '#shared/domain/webhooks/health.ts';
import {
  failures,
  readWebhookAnswer,
  SLACK_DIRECT,
  type WebhookOutcome,
} from '#shared/domain/webhooks/outcome.ts';
import { webhookRequest } from '#shared/domain/webhooks/payload.ts';
import type { BotService } from '#shared/domain/webhooks/service.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { OutsideFailure, type OutsideRequest } from '#shared/runtime/outside/outside.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findMessage } from '#shared/store/messages/messages.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { findUser } from '#shared/store/users/users.ts';
import { getWebhookHealth, recoveryWrites } from '#shared/store/webhooks/webhook-health.ts';

/** Answers of servers are read up to this length. */
const MAX_ANSWER_BYTES = 256 * 1024;
const TIMEOUT_MS = 10_000;
const TRIES = 4;

/**
 * Calls the server of an outgoing webhook bot about a message, and sends its reply in the bot's name. The reply and the end
 * of the step are one transaction, so there is one reply however often the server was called.
 */
export async function callWebhook(
  services: Services,
  call: JobPayloads['call-webhook'],
  _step: number,
  messageId: number,
): Promise<Change | undefined> {
  const { table, clock } = services;
  const [message, bot] = await Promise.all([findMessage(table, messageId), findUser(table, call.botId)]);
  const service = bot?.isActive ? bot.bot?.service : undefined;
  if (!message || !bot || !service) return undefined;
  const health = await getWebhookHealth(table, bot.userId);
  if (isPaused(health, toSeconds(clock.nowMs()))) return undefined;
  const { url: origin } = await getOrganization(table);
  const request = webhookRequest({ bot, service, message, trigger: call.trigger, origin });
  if (!request) return replyChange(services, bot, message, SLACK_DIRECT);
  const outcome = await callPatiently(services, service, {
    ...request,
    redirects: 0,
    maxBytes: MAX_ANSWER_BYTES,
    ifLonger: 'cut',
    timeoutMs: TIMEOUT_MS,
  });
  if (outcome.kind === 'failure') {
    const { shown, explained } = outcome;
    const payload = { botId: bot.userId, messageId, shown, explained };
    return { jobs: [{ type: 'report-webhook-failure', payload, steps: [0, 1] }] };
  }
  const writes = recoveryWrites(bot.userId, health);
  if (outcome.kind === 'nothing') return writes.length === 0 ? undefined : { writes };
  // The message may have been moved or deleted while the server was called.
  const present = await findMessage(table, messageId);
  const change = present && (await replyChange(services, bot, present, outcome.content));
  return { writes, ...change };
}

/** Tries again while the server cannot be reached; any answer is final. */
async function callPatiently(
  { outside, clock, config }: Services,
  service: BotService,
  request: OutsideRequest,
): Promise<WebhookOutcome> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { status, body } = await outside.call(request);
      return readWebhookAnswer(service.interface, status, Buffer.from(body).toString('utf8'));
    } catch (failure) {
      if (!(failure instanceof OutsideFailure)) throw failure;
      const isFinal = failure.kind === 'refused' || failure.kind === 'badAnswer';
      if (isFinal || attempt === TRIES) return failures[failure.kind];
      await clock.sleep(config.webhookPauseMs * attempt);
    }
  }
}

async function replyChange(
  services: Services,
  bot: User,
  message: Message,
  content: string,
): Promise<Change | undefined> {
  const reply = await composeBotReply(services, bot, message, content, 'OutgoingWebhookResponse');
  return reply && { message: reply };
}
