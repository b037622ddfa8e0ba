import type { Change } from '#shared/domain/change.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { type ChannelView, readersOf } from '#shared/domain/messages/access.ts';
import type { Message, Submessage } from '#shared/domain/messages/message.ts';
import { logKeys, messageKeys } from '#shared/table/keys/log.ts';
import type { Item } from '#shared/table/table.ts';
import { parseSubmessage, requireWidgetData, widgetTypeOf } from './data.ts';
import { WIDGET, widgetOf } from './widget.ts';

/** A submessage to add, with the state from the table. */
export interface Adding {
  userId: number;
  message: Message;
  view: ChannelView | undefined;
  type: string;
  content: string;
  /** The storage place of the message's submessages. */
  place: string;
  /** The submessages of the user, and of the message's sender. */
  item: Item | undefined;
  authorsItem: Item | undefined;
}

/** The limit per user and message: hundreds of votes or tasks. */
const MAX_BYTES = 64 * 1024;

/** @throws BadRequest */
export function addSubmessageChange(adding: Adding): Change {
  const { userId, message, view, type, content, place, item } = adding;
  const isAuthor = userId === message.senderId;
  const widget = widgetOf(message);
  // Only the sender can turn a message into a widget.
  if (!isAuthor && !widget && !adding.authorsItem)
    throw new BadRequest('You cannot attach a submessage to this message.');
  const data = parseSubmessage(content);
  requireWidgetData(widget?.widget_type ?? addedWidgetType(adding.authorsItem), data, isAuthor);
  if (Number(item?.bytes ?? 0) >= MAX_BYTES) throw new BadRequest('You have added too much to this message.');
  return {
    writes: (position) => [
      ...(message.submessagesIn === undefined
        ? [
            {
              kind: 'update' as const,
              key: logKeys.entry(message.messageId),
              set: { submessagesIn: place },
              condition: { exists: true, equals: { inConversation: place } },
            },
          ]
        : []),
      {
        kind: 'update',
        key: messageKeys.submessages(place, message.messageId, userId),
        set: { userId, [submessageAttribute(position)]: [type, content] },
        add: { bytes: Buffer.byteLength(content) },
        condition: { belowOrAbsent: { bytes: MAX_BYTES } },
      },
    ],
    events: [
      {
        audience: readersOf(message, view),
        ...(view?.channel.isArchived && { isOfArchived: true as const }),
        payload: {
          type: 'submessage',
          message_id: message.messageId,
          sender_id: userId,
          msg_type: type,
          content,
        },
      },
    ],
  };
}

function addedWidgetType(authorsItem: Item | undefined): string | undefined {
  const first = (authorsItem ? readSubmessages(authorsItem) : []).find(({ type }) => type === WIDGET);
  return first && widgetTypeOf(first.content);
}

/** Kind and content by log position, which is the id. */
const submessageAttribute = (position: number): string => `s${position}`;

/** The submessages of one user to a message, oldest first. */
export const readSubmessages = (item: Item): Submessage[] =>
  Object.entries(item)
    .filter(([name]) => /^s\d+$/.test(name))
    .map(([name, value]) => {
      const [type, content] = value as [string, string];
      return { id: Number(name.slice(1)), userId: Number(item.userId), type, content };
    })
    .sort((a, b) => a.id - b.id);
