import { uploadsIn } from '#shared/domain/messages/compose.ts';
import type { NewText } from '#shared/domain/messages/edit-content.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import type { User } from '#shared/domain/users/user.ts';
import { renderMarkdown } from '#shared/markdown/render.ts';
import type { Services } from '#shared/runtime/services.ts';
import { loadKnown } from '#shared/store/references.ts';

/** Another text for one message. */
export type EditedText = NewText & { messageId: number };

/** Another text for a message, rendered with what its author may know of. */
export async function renderEdited(
  { table }: Services,
  user: User,
  { messageId }: Message,
  content: string,
): Promise<EditedText> {
  const known = await loadKnown(table, user, content);
  const { html } = renderMarkdown(content, known);
  return { messageId, content, html, uploads: uploadsIn(html, known) };
}

/** Whether a message names files before or after it gets another text. */
export const concernsUploads = ({ uploads = [] }: Message, text: EditedText): boolean =>
  uploads.length + text.uploads.length > 0;

export const uploadEditOf = ({ messageId, uploads = [] }: Message, text: EditedText) => ({
  messageId,
  before: uploads,
  after: text.uploads,
});
