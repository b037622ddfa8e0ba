import { checkContent, composeMessage } from '#shared/domain/messages/compose.ts';
import type { Message, MessageText, StoredMessage } from '#shared/domain/messages/message.ts';
import type { TopicPlace } from '#shared/domain/messages/topic.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Known } from '#shared/markdown/known.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findChannel } from '#shared/store/channels/channels.ts';
import { loadKnown } from '#shared/store/messages/references.ts';
import { renderContent } from '#shared/store/messages/rendering.ts';
import { getUser, listUsersById } from '#shared/store/users/users.ts';
import { textOf } from './message-text.ts';

const CLIENT = 'Internal';

/** A direct message of one of the service's bots. */
export async function composeBotDirect(
  services: Services,
  botId: number,
  userId: number,
  content: string,
): Promise<StoredMessage> {
  const [bot, user] = await Promise.all([getUser(services.table, botId), getUser(services.table, userId)]);
  // References in the text reveal only the things that its reader may know, because parts may be the reader's
  // own words.
  const known = await loadKnown(services.table, user, content);
  const draft = { text: await botText(content, known), client: CLIENT, isReadBySender: true };
  const atSeconds = toSeconds(services.clock.nowMs());
  return composeMessage(bot, { kind: 'direct', users: [user] }, draft, atSeconds, known.linker);
}

/** A message of one of the service's bots to a topic; undefined when the channel does not exist. */
export async function composeBotPost(
  services: Services,
  botId: number,
  place: TopicPlace,
  content: string,
  { evenIfArchived = false, client = CLIENT } = {},
): Promise<StoredMessage | undefined> {
  const [bot, channel] = await Promise.all([
    getUser(services.table, botId),
    findChannel(services.table, place.channelId),
  ]);
  if (!channel || (channel.isArchived && !evenIfArchived)) return undefined;
  const topic = channel.topicsPolicy === 'empty_topic_only' ? '' : place.topic;
  const destination = {
    kind: 'channel' as const,
    channel,
    subscription: undefined,
    topic,
    isNewTopic: false,
    topicsPolicy: 'allow_empty_topic' as const,
  };
  const known = await loadKnown(services.table, bot, content, channel);
  const draft = { text: await botText(content, known), client, isReadBySender: true };
  return composeMessage(bot, destination, draft, toSeconds(services.clock.nowMs()), known.linker);
}

/**
 * The reply of a user's bot, in the topic or conversation of a message. Being addressed lets the bot post there. Undefined in
 * an archived channel.
 */
export async function composeBotReply(
  services: Services,
  bot: User,
  message: Message,
  written: string,
  client: string,
): Promise<StoredMessage | undefined> {
  const content = checkContent(written);
  if (message.kind === 'channel') return composeBotPost(services, bot.userId, message, content, { client });
  const others = message.recipients.map(({ id }) => id).filter((id) => id !== bot.userId);
  const users = await listUsersById(services.table, others);
  const known = await loadKnown(services.table, bot, content);
  const draft = { text: await botText(content, known), client, isReadBySender: true };
  const atSeconds = toSeconds(services.clock.nowMs());
  return composeMessage(bot, { kind: 'direct', users }, draft, atSeconds, known.linker);
}

/** Repeated text may contain wildcards and group mentions: only users mentioned by name are notified. */
async function botText(content: string, known: Known): Promise<MessageText> {
  const rendered = await renderContent(content, known);
  const { mentionedUserIds: userIds } = rendered;
  return { ...textOf({ content, known }, rendered), ...(userIds.length > 0 && { mentions: { userIds } }) };
}
