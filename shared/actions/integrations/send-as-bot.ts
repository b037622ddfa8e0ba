import {
  commitPrepared,
  type PreparedMessage,
  prepareMessage,
  type Sending,
} from '#shared/actions/messages/send-message.ts';
import { ChannelDoesNotExist } from '#shared/domain/errors.ts';
import { missingChannelNotice, noSubscribersNotice } from '#shared/domain/integrations/notices.ts';
import type { Account } from '#shared/domain/users/user.ts';
import type { Retry } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { rememberActive } from '#shared/store/users/users.ts';
import { notifyOwner } from './notify-owner.ts';

/**
 * Sends a message of a bot like one of a person. The bot's owner is notified if the channel does not exist or has no
 * subscribers.
 * @throws like `sendMessage`
 */
export async function sendAsBot(
  services: Services,
  bot: Account,
  sending: Sending,
  retry: Retry | undefined,
): ReturnType<typeof commitPrepared> {
  const prepared = await prepareAsBot(services, bot, sending);
  await rememberActive(services.table, bot, toSeconds(services.clock.nowMs()));
  const sent = await commitPrepared(services, prepared, { retry });
  await noticeUnread(services, bot, prepared);
  return sent;
}

async function prepareAsBot(services: Services, bot: Account, sending: Sending): Promise<PreparedMessage> {
  try {
    return await prepareMessage(services, bot, sending);
  } catch (failure) {
    if (failure instanceof ChannelDoesNotExist)
      await notifyOwner(services, bot, (say) => missingChannelNotice(bot.fullName, failure, say));
    throw failure;
  }
}

/** Notifies the owner of a bot that a message was sent to a channel without subscribers. */
export async function noticeUnread(
  services: Services,
  bot: Account,
  { destination }: PreparedMessage,
): Promise<void> {
  if (destination.kind !== 'channel' || destination.channel.subscriberCount > 0) return;
  const { name } = destination.channel;
  await notifyOwner(services, bot, (say) => noSubscribersNotice(bot.fullName, name, say));
}
