import type { Job } from '#shared/domain/change.ts';
import type { MessageText } from '#shared/domain/messages/message.ts';
import type { Table } from '#shared/table/table.ts';
import type { TextPlace } from './message-text.ts';

/** What is left to do for those whom a text names, and did not name before. */
export async function jobsOfMentions(
  table: Table,
  place: TextPlace,
  { mentions }: MessageText,
  before: MessageText['mentions'] = {},
): Promise<Job[]> {
  const named = mentions?.userIds?.filter((userId) => !before.userIds?.includes(userId)) ?? [];
  if (place.kind === 'direct' || named.length === 0) return [];
  const { followingJobs } = await import('./following-job.ts');
  return followingJobs(table, named, { channelId: place.channel.channelId, topic: place.topic });
}
