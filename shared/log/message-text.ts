import type { ChannelView } from '#shared/domain/messages/access.ts';
import { uploadsIn } from '#shared/domain/messages/compose.ts';
import type { MessageText } from '#shared/domain/messages/message.ts';
import type { TopicPlace } from '#shared/domain/messages/move.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Rendered } from '#shared/markdown/environment.ts';
import type { Known } from '#shared/markdown/known.ts';
import { renderMarkdown } from '#shared/markdown/render.ts';
import type { Services } from '#shared/runtime/services.ts';

/** Where a text is written, as far as it decides whom its mentions reach. */
export type TextPlace =
  | { kind: 'direct' }
  | ({ kind: 'channel'; topic: string } & Pick<ChannelView, 'channel'>);

/** The topic in which a text is written; undefined in a conversation. */
export const topicOf = (place: TextPlace): TopicPlace | undefined =>
  place.kind === 'channel' ? { channelId: place.channel.channelId, topic: place.topic } : undefined;

/** Who writes what where, and what they may know of those whom it names. */
export interface Writing {
  author: User;
  place: TextPlace;
  content: string;
  known: Known;
}

/**
 * The text of a message: rendered, and with whom it mentions. What only groups and wildcards need is loaded with the
 * first of them. @throws BadRequest, ChannelWildcardNotAllowed, TopicWildcardNotAllowed
 */
export async function composeText(services: Services, writing: Writing): Promise<MessageText> {
  const rendered = renderMarkdown(writing.content, writing.known);
  const text = textOf(writing, rendered);
  const { mentionedUserIds: userIds } = rendered;
  if (!reachesMany(rendered)) return { ...text, ...(userIds.length > 0 && { mentions: { userIds } }) };
  const { findMentioned, keepMentions } = await import('./mentioning.ts');
  const mentioned = await findMentioned(services, writing, rendered);
  return { ...text, mentions: await keepMentions(services.table, mentioned) };
}

/** The same of a text that nobody gets yet. @throws as `composeText` */
export async function checkText(services: Services, writing: Writing): Promise<MessageText> {
  const rendered = renderMarkdown(writing.content, writing.known);
  if (reachesMany(rendered))
    await (await import('./mentioning.ts')).findMentioned(services, writing, rendered);
  return { content: writing.content, html: rendered.html };
}

/** A rendered text with the files that it names. */
export function textOf(
  { content, known }: Pick<Writing, 'content' | 'known'>,
  { html }: Rendered,
): MessageText {
  const uploads = uploadsIn(html, known);
  return { content, html, ...(uploads.length > 0 && { uploads }) };
}

const reachesMany = ({ mentionedGroupIds, mentionsChannel, mentionsTopic }: Rendered): boolean =>
  mentionedGroupIds.length > 0 || mentionsChannel || mentionsTopic;
