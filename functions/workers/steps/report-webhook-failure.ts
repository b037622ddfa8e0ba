import { composeBotDirect, composeBotReply } from '#shared/actions/messages/bot-message.ts';
import { textsFor } from '#shared/actions/texts/texts-for.ts';
import type { Change } from '#shared/domain/change.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import { linkToMessage } from '#shared/domain/messages/link.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import type { User } from '#shared/domain/users/user.ts';
import {
  FAILURES_BEFORE_PAUSE,
  failedOnce,
  isPaused,
  PAUSE_MINUTES,
} from '#shared/domain/webhooks/health.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findMessage } from '#shared/store/messages/messages.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { findUser } from '#shared/store/users/users.ts';
import { getWebhookHealth, healthWrite } from '#shared/store/webhooks/webhook-health.ts';

const TELL_OWNER = 0;
const CLIENT = 'OutgoingWebhookResponse';

/** Reports a failed call as the bot: to its owner, whose notice counts the failure, and in the conversation. */
export async function reportWebhookFailure(
  services: Services,
  report: JobPayloads['report-webhook-failure'],
  step: number,
): Promise<Change | undefined> {
  const { table } = services;
  const [bot, message] = await Promise.all([
    findUser(table, report.botId),
    findMessage(table, report.messageId),
  ]);
  if (!bot?.isActive) return undefined;
  if (step === TELL_OWNER) return ownerChange(services, bot, message, report);
  return message && conversationChange(services, bot, message, report);
}

/** Calls that were under way when the bot was paused get no notice of their own. */
async function ownerChange(
  services: Services,
  bot: User,
  message: Message | undefined,
  { explained }: JobPayloads['report-webhook-failure'],
): Promise<Change | undefined> {
  const { table, clock } = services;
  const nowSeconds = toSeconds(clock.nowMs());
  const before = await getWebhookHealth(table, bot.userId);
  if (isPaused(before, nowSeconds)) return undefined;
  const next = failedOnce(before, nowSeconds);
  const writes = [healthWrite(bot.userId, before, next)];
  const owner = bot.botOwnerId === null ? undefined : await findUser(table, bot.botOwnerId);
  if (!owner?.isActive) return { writes };
  const { url } = await getOrganization(table);
  const say = await textsFor(services, owner.userId);
  const name = `@_**${bot.fullName}|${bot.userId}**`;
  const failed = message
    ? say('bots.serverFailed', { bot: name, link: linkToMessage(url, message) })
    : say('bots.serverFailedForGoneMessage', { bot: name });
  const paused = { bot: name, calls: FAILURES_BEFORE_PAUSE, minutes: PAUSE_MINUTES };
  const head = isPaused(next, nowSeconds) ? say('bots.serverPaused', paused) : failed;
  const content = `${head}

${explained}`;
  return { writes, message: await composeBotDirect(services, bot.userId, owner.userId, content) };
}

async function conversationChange(
  services: Services,
  bot: User,
  message: Message,
  { shown }: JobPayloads['report-webhook-failure'],
): Promise<Change | undefined> {
  const nowSeconds = toSeconds(services.clock.nowMs());
  const health = await getWebhookHealth(services.table, bot.userId);
  const pause = isPaused(health, nowSeconds)
    ? `\n\nThe bot answers again after <time:${new Date(health.pausedUntilSeconds * 1000).toISOString()}>.`
    : '';
  const reply = await composeBotReply(services, bot, message, `Failure! ${shown}${pause}`, CLIENT);
  return reply && { message: reply };
}
