import { ChannelDoesNotExist, type DeclaredError, RateLimitHit } from '#shared/domain/errors.ts';
import { InvalidJson, MissingHttpEventHeader } from './errors.ts';
import type { Integration } from './integration.ts';
import { webhookLimit } from './limit.ts';
import { code, inline } from './words.ts';

/** The notice to a bot's owner about a failure that only the owner can mend, or undefined for all others. */
export function describeFailureToOwner(
  { displayName, isQuietAboutBody }: Integration,
  botName: string,
  failure: DeclaredError,
): string | undefined {
  const bot = `Your bot **${inline(botName)}**`;
  if (failure instanceof ChannelDoesNotExist) return missingChannelNotice(botName, failure);
  if (failure instanceof InvalidJson && !isQuietAboutBody)
    return `${bot} received a request for ${displayName} whose body is not JSON. Check the settings of the webhook in ${displayName}: the content type must be JSON.`;
  if (failure instanceof MissingHttpEventHeader)
    return `${bot} received a request for ${displayName} without the header ${code(String(failure.fields.header))}. Check that the address is used by ${displayName}, and that nothing between removes the header.`;
  if (failure instanceof RateLimitHit)
    return `${bot} received more from ${displayName} than the ${webhookLimit.messages} messages a minute that one integration may send. The rest was refused.`;
  return undefined;
}

/** The notice about a message to a channel that does not exist. */
export function missingChannelNotice(botName: string, { fields }: ChannelDoesNotExist): string {
  const bot = `Your bot **${inline(botName)}**`;
  if (fields.stream_id !== undefined)
    return `${bot} tried to send a message to the channel with id ${code(String(fields.stream_id))}, but there is none.`;
  return `${bot} tried to send a message to the channel ${code(String(fields.stream))}, but that channel does not exist. You can [create it](#channels/new).`;
}

/** The notice about a message that was sent and that no one received. */
export const noSubscribersNotice = (botName: string, channel: string): string =>
  `Your bot **${inline(botName)}** sent a message to the channel ${code(channel)}, which has no subscribers.`;
