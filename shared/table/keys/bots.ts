import { idSortKey, type Key } from './key.ts';
import { userPartitions } from './users.ts';

export const botPartitions = {
  webhookDeliveriesOf: (userId: number) => `WEBHOOK_DELIVERIES#${userId}`,
  feeds: () => 'FEEDS',
};

export const botPrefixes = { feedsOf: (channelId: number) => `${idSortKey(channelId)}#` };

export const botKeys = {
  storage: (botId: number): Key => ({ pk: userPartitions.user(botId), sk: 'BOT_STORAGE' }),
  /** Templates and secrets of the bot's integration. */
  configuration: (botId: number): Key => ({ pk: userPartitions.user(botId), sk: 'BOT_CONFIGURATION' }),
  webhookHealth: (botId: number): Key => ({ pk: userPartitions.user(botId), sk: 'WEBHOOK_HEALTH' }),
  /** When the owner of a bot was last notified of a failure. */
  ownerNotice: (ownerId: number): Key => ({ pk: userPartitions.user(ownerId), sk: 'OWNER_NOTICE' }),
  webhookDelivery: (userId: number, atMs: number, id: string): Key => ({
    pk: botPartitions.webhookDeliveriesOf(userId),
    sk: `${String(atMs).padStart(14, '0')}#${id}`,
  }),
  feed: (channelId: number, feedId: number): Key => ({
    pk: botPartitions.feeds(),
    sk: `${botPrefixes.feedsOf(channelId)}${idSortKey(feedId)}`,
  }),
};
