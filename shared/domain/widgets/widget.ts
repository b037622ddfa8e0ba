import type { Message } from '#shared/domain/messages/message.ts';

/** What clients show instead of a message: a poll or a to-do list. */
export interface Widget {
  widget_type: 'poll' | 'todo';
  extra_data: Record<string, unknown>;
}

/** The kind of a message's own widget. */
export const WIDGET = 'widget';

const COMMAND = /^\/(poll|todo)(?!\S)/;

const findCommand = ({ content, editedAtSeconds }: Message): RegExpExecArray | null =>
  editedAtSeconds === undefined ? COMMAND.exec(content) : null;

/**
 * The widget that a message was sent as. It follows from the text, which then cannot be edited; an edited
 * text was never a widget.
 */
export function widgetOf(message: Message): Widget | undefined {
  const [command, type] = findCommand(message) ?? [];
  if (command === undefined) return undefined;
  const [title = '', ...rest] = message.content
    .slice(command.length)
    .split(/\r\n|[\n\r\v\f\u{85}\u{2028}\u{2029}]/u);
  const items = rest.map(withoutBullet).filter((item) => item !== '');
  return type === 'poll'
    ? { widget_type: 'poll', extra_data: { question: title.trim(), options: items } }
    : { widget_type: 'todo', extra_data: { task_list_title: title.trim(), tasks: items.map(toTask) } };
}

/** Whether a message is shown as a widget, because of its text or a submessage of its sender. */
export const isWidget = (message: Message): boolean =>
  message.submessagesIn !== undefined || findCommand(message) !== null;

const withoutBullet = (line: string): string => line.trim().replace(/^[-*]?\s*/, '');

/** A task, and after the first colon its description. */
function toTask(item: string): { task: string; desc: string } {
  const [task = '', ...desc] = item.split(': ');
  return { task: task.trim(), desc: desc.join(': ').trim() };
}

/** The submessages in the form of the protocol: the message's own widget, then later additions. */
export function toSubmessageRecords(message: Message) {
  const { messageId, senderId, submessages = [] } = message;
  const widget = widgetOf(message);
  const own = widget && { id: messageId, userId: senderId, type: WIDGET, content: JSON.stringify(widget) };
  return [...(own ? [own] : []), ...submessages].map(({ id, userId, type, content }) => ({
    id,
    message_id: messageId,
    sender_id: userId,
    msg_type: type,
    content,
  }));
}
