import type { Message } from '#shared/domain/messages/message.ts';

/** What clients draw in the place of a message: a poll, or a list of things to do. */
export interface Widget {
  widget_type: 'poll' | 'todo';
  extra_data: Record<string, unknown>;
}

/** The kind under which a message's own widget is told. */
export const WIDGET = 'widget';

const COMMAND = /^\/(poll|todo)(?!\S)/;

const findCommand = ({ content, editedAtSeconds }: Message): RegExpExecArray | null =>
  editedAtSeconds === undefined ? COMMAND.exec(content) : null;

/**
 * The widget that a message was sent as: it follows from its text, which cannot be edited then. A text that was edited
 * was none when it was sent.
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

/** Whether a message is shown as a widget, because of its text or of what its sender added to it. */
export const isWidget = (message: Message): boolean =>
  message.submessagesIn !== undefined || findCommand(message) !== null;

const withoutBullet = (line: string): string => line.trim().replace(/^[-*]?\s*/, '');

/** What is to be done, and behind the first colon what is said of it. */
function toTask(item: string): { task: string; desc: string } {
  const [task = '', ...desc] = item.split(': ');
  return { task: task.trim(), desc: desc.join(': ').trim() };
}

/** What the protocol calls the submessages of a message: its own widget, and what people added to it since. */
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
