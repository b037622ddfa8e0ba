import type { Job } from '#shared/domain/change.ts';
import type { MessageText } from '#shared/domain/messages/message.ts';
import type { TopicPlace } from '#shared/domain/messages/move.ts';
import type { Table } from '#shared/table/table.ts';

/** What is left to do for those whom a text in a topic names, and did not name before. Conversations have no topic. */
export async function jobsOfMentions(
  table: Table,
  place: TopicPlace | undefined,
  { mentions }: MessageText,
  before: MessageText['mentions'] = {},
): Promise<Job[]> {
  const named = mentions?.userIds?.filter((userId) => !before.userIds?.includes(userId)) ?? [];
  if (!place || named.length === 0) return [];
  const { followingJobs } = await import('./following-job.ts');
  return followingJobs(table, named, { channelId: place.channelId, topic: place.topic });
}
