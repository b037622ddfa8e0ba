import { channelsOf } from '#shared/domain/messages/access.ts';
import { flagsOf } from '#shared/domain/messages/flags.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { isMessageUpdate } from '#shared/events/message-update.ts';
import { listSubscriptionPairs } from '#shared/store/channels/subscriptions.ts';
import { findMessage } from '#shared/store/messages/messages.ts';
import { openRecipientSets } from '#shared/store/messages/recipient-sets.ts';
import { loadMarks, openMarks } from '#shared/store/reading/read-state.ts';
import { loadAlerts } from '#shared/store/users/alert-words.ts';
import type { Table } from '#shared/table/table.ts';

/**
 * A user's flags of the message that these events change; undefined when they change none, or it was deleted since. The
 * flags are the present ones, because later changes follow in the log.
 */
export async function loadUpdatedFlags(
  table: Table,
  user: User,
  events: LogEvent[],
): Promise<{ updatedFlags?: string[] }> {
  const update = events.map(({ payload }) => payload).find(isMessageUpdate);
  if (!update) return {};
  const { message_id: messageId } = update;
  const [message, marks, alerts] = await Promise.all([
    findMessage(table, messageId),
    openMarks(table, user.userId),
    loadAlerts(table, user),
  ]);
  if (!message) return {};
  const channelIds = [...new Set(channelsOf(message))];
  const [subscriptions, recipientSets] = await Promise.all([
    listSubscriptionPairs(
      table,
      channelIds.map((channelId) => ({ userId: user.userId, channelId })),
    ),
    openRecipientSets(table, [message]),
    loadMarks(table, user.userId, marks, [messageId]),
  ]);
  const byChannel = new Map(subscriptions.map((subscription) => [subscription.channelId, subscription]));
  return { updatedFlags: flagsOf(user, message, byChannel, { marks, alerts, recipientSets }) };
}
