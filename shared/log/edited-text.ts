import type { ChannelView } from '#shared/domain/messages/access.ts';
import type { Message, MessageText } from '#shared/domain/messages/message.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Services } from '#shared/runtime/services.ts';
import { loadKnown } from '#shared/store/references.ts';
import { composeText, type TextPlace } from './message-text.ts';

/** A message, and its channel as its author stands to it. */
export interface Edited {
  message: Message;
  view: ChannelView | undefined;
}

/** Another text for one message. */
export type EditedText = MessageText & { messageId: number };

/** Another text for a message, rendered with what its author may know of. @throws as `composeText` */
export async function renderEdited(
  services: Services,
  user: User,
  edited: Edited,
  content: string,
): Promise<EditedText> {
  const known = await loadKnown(services.table, user, content);
  const text = await composeText(services, { author: user, place: placeOf(edited), content, known });
  return { messageId: edited.message.messageId, ...text };
}

/** Where the message stands. */
export const placeOf = ({ message, view }: Edited): TextPlace =>
  message.kind === 'channel' && view
    ? { kind: 'channel', channel: view.channel, topic: message.topic }
    : { kind: 'direct' };

/** Whether a message names files before or after it gets another text. */
export const concernsUploads = ({ uploads = [] }: Message, text: EditedText): boolean =>
  uploads.length + (text.uploads ?? []).length > 0;

export const uploadEditOf = ({ messageId, uploads = [] }: Message, text: EditedText) => ({
  messageId,
  before: uploads,
  after: text.uploads ?? [],
});
