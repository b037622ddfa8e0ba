import type { Job } from '#shared/domain/jobs.ts';
import { uploadsIn } from '#shared/domain/messages/compose.ts';
import type { MessageText } from '#shared/domain/messages/message.ts';
import type { TopicPlace, TopicView } from '#shared/domain/messages/topic.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Rendered } from '#shared/markdown/environment.ts';
import type { Known } from '#shared/markdown/known.ts';
import type { Services } from '#shared/runtime/services.ts';
import { renderContent } from '#shared/store/messages/rendering.ts';
import type { Table } from '#shared/table/table.ts';

/** The author, the text, its topic, and the references that the author may know. */
export interface Writing {
  author: User;
  /** Decides who is mentioned by wildcards; undefined in direct conversations. */
  topic: TopicView | undefined;
  content: string;
  known: Known;
}

/**
 * Renders the text of a message and resolves its mentions. Code for groups and wildcards is loaded on demand.
 * @throws BadRequest, ChannelWildcardNotAllowed, TopicWildcardNotAllowed
 */
export async function composeText(services: Services, writing: Writing): Promise<MessageText> {
  const rendered = await renderContent(writing.content, writing.known);
  const text = textOf(writing, rendered);
  const { mentionedUserIds: userIds } = rendered;
  if (!reachesMany(rendered)) return { ...text, ...(userIds.length > 0 && { mentions: { userIds } }) };
  const { findMentioned, keepMentions } = await import('./mentioning.ts');
  const mentioned = await findMentioned(services, writing, rendered);
  return { ...text, mentions: await keepMentions(services.table, mentioned) };
}

/** The same for a text that is not sent yet. @throws like `composeText` */
export async function checkText(services: Services, writing: Writing): Promise<MessageText> {
  const rendered = await renderContent(writing.content, writing.known);
  if (reachesMany(rendered))
    await (await import('./mentioning.ts')).findMentioned(services, writing, rendered);
  return { content: writing.content, html: rendered.html };
}

/** A rendered text with the files that it links to. */
export function textOf(
  { content, known }: Pick<Writing, 'content' | 'known'>,
  { html }: Rendered,
): MessageText {
  const uploads = uploadsIn(html, known);
  return { content, html, ...(uploads.length > 0 && { uploads }) };
}

const reachesMany = ({ mentionedGroupIds, mentionsChannel, mentionsTopic }: Rendered): boolean =>
  mentionedGroupIds.length > 0 || mentionsChannel || mentionsTopic;

/**
 * The jobs for users mentioned by a new or edited text in a topic, without earlier mentions. Conversations
 * have no topic.
 */
export async function jobsOfMentions(
  table: Table,
  place: TopicPlace | undefined,
  { mentions }: MessageText,
  before: MessageText['mentions'] = {},
): Promise<Job[]> {
  const named = mentions?.userIds?.filter((userId) => !before.userIds?.includes(userId)) ?? [];
  if (!place || named.length === 0) return [];
  const { followingJobs } = await import('./following-job.ts');
  return followingJobs(table, named, place);
}

/** The jobs for previews of a text's links. The code is loaded with the first text that links to the web. */
export async function jobsOfLinks(
  table: Table,
  author: { isBot: boolean },
  { html }: MessageText,
  messageId?: number,
): Promise<Job[]> {
  if (!html.includes('<a href="http')) return [];
  const { previewJobs } = await import('#shared/actions/previews/preview-jobs.ts');
  return previewJobs(table, author, html, messageId);
}
