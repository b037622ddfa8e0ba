import { ChannelDoesNotExist, type DeclaredError, RateLimitHit } from '#shared/domain/errors.ts';
import type { Say } from '#shared/domain/texts/texts.ts';
import { InvalidJson, MissingHttpEventHeader } from './errors.ts';
import type { Integration } from './integration.ts';
import { webhookLimit } from './limit.ts';
import { code, inline } from './words.ts';

/** The notice to a bot's owner about a failure that only the owner can mend, or undefined for all others. */
export function describeFailureToOwner(
  { displayName, isQuietAboutBody }: Integration,
  botName: string,
  failure: DeclaredError,
  say: Say,
): string | undefined {
  const names = { bot: inline(botName), integration: displayName };
  if (failure instanceof ChannelDoesNotExist) return missingChannelNotice(botName, failure, say);
  if (failure instanceof InvalidJson && !isQuietAboutBody) return say('bots.bodyIsNotJson', names);
  if (failure instanceof MissingHttpEventHeader)
    return say('bots.headerMissing', { ...names, header: code(String(failure.fields.header)) });
  if (failure instanceof RateLimitHit) return say('bots.tooMany', { ...names, limit: webhookLimit.messages });
  return undefined;
}

/** The notice about a message to a channel that does not exist. */
export function missingChannelNotice(botName: string, { fields }: ChannelDoesNotExist, say: Say): string {
  const bot = inline(botName);
  if (fields.stream_id !== undefined)
    return say('bots.channelIdMissing', { bot, channel: code(String(fields.stream_id)) });
  return say('bots.channelMissing', { bot, channel: code(String(fields.stream)) });
}

/** The notice about a message that was sent and that no one received. */
export const noSubscribersNotice = (botName: string, channel: string, say: Say): string =>
  say('bots.noSubscribers', { bot: inline(botName), channel: code(channel) });
