import { hasReceived, isReadAsSent } from '#shared/domain/messages/access.ts';
import { mentionFlagsOf } from '#shared/domain/messages/mentions.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { toMessageRecord } from '#shared/domain/messages/record.ts';
import { noPreferences } from '#shared/domain/narrow/term.ts';
import { asShownTo } from '#shared/domain/users/visible-users.ts';
import type { WireEvent } from '../catalogue.ts';
import { hasCapability } from '../queue-filter.ts';
import { matchesQueueNarrow } from '../queue-narrow.ts';
import type { Shaping } from '../shaping.ts';
import { getsMessage } from '../viewer.ts';

/** The event of a message; none if the queue does not get it. */
export function shapeMessage(sent: Message, shaping: Shaping): WireEvent[] {
  const { queueId, filter, viewer, visibleUsers, preferences = noPreferences } = shaping;
  if (!getsMessage(viewer, sent, filter.allPublicChannels)) return [];
  const message = asShownTo(sent, visibleUsers);
  const flags = messageFlags(message, shaping);
  const callerId = viewer.user.userId;
  const subscription = message.kind === 'channel' ? viewer.subscriptions.get(message.channelId) : undefined;
  const context = { callerId, flags, view: { subscription }, preferences };
  if (!matchesQueueNarrow(filter.narrow, message, context)) return [];
  const record = toMessageRecord(message, {
    applyMarkdown: filter.applyMarkdown,
    clientGravatar: filter.clientGravatar,
    allowsEmptyTopic: hasCapability(filter, 'empty_topic_name'),
  });
  const { echo } = message;
  const isEcho = message.senderId === callerId && echo?.queueId === queueId;
  const local = isEcho && { local_message_id: echo.localId };
  return [{ type: 'message', message: record, flags, ...local }];
}

/**
 * Flags at the time of sending: messages read by their sender, and messages that a reader of all public
 * channels did not receive.
 */
function messageFlags(message: Message, { viewer, alerts, recipientSets }: Shaping): string[] {
  const { user, subscriptions } = viewer;
  if (!hasReceived(user, message, subscriptions)) return ['read', 'historical'];
  return [
    ...(isReadAsSent(user, message) ? ['read'] : []),
    ...mentionFlagsOf(user.userId, message, recipientSets),
    ...(alerts.concern(message) ? ['has_alert_word'] : []),
  ];
}
