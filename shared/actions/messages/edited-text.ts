import type { ChannelView } from '#shared/domain/messages/access.ts';
import type { EditedText } from '#shared/domain/messages/editing/edit-request.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { topicOf } from '#shared/domain/messages/topic.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Services } from '#shared/runtime/services.ts';
import { loadKnown } from '#shared/store/messages/references.ts';
import { composeText } from './message-text.ts';

/** A message, with its channel and the author's relation to it. */
export interface Edited {
  message: Message;
  view: ChannelView | undefined;
}

/** Renders the new text of a message with what its author may know of. @throws like `composeText` */
export async function renderEdited(
  services: Services,
  user: User,
  { message, view }: Edited,
  content: string,
): Promise<EditedText> {
  const known = await loadKnown(services.table, user, content);
  const topic = topicOf(message, view);
  const text = await composeText(services, { author: user, topic, content, known });
  return { messageId: message.messageId, ...text };
}

/** Whether the message links to files before or after the edit. */
export const concernsUploads = ({ uploads = [] }: Message, text: EditedText): boolean =>
  uploads.length + (text.uploads ?? []).length > 0;

export const uploadEditOf = ({ messageId, uploads = [] }: Message, text: EditedText) => ({
  messageId,
  before: uploads,
  after: text.uploads ?? [],
});
