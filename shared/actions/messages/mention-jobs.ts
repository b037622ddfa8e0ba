import type { Job } from '#shared/domain/jobs.ts';
import type { MessageText } from '#shared/domain/messages/message.ts';
import type { TopicPlace } from '#shared/domain/topics/topic-place.ts';
import type { Table } from '#shared/table/table.ts';

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
