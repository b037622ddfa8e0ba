import type { Job } from '#shared/domain/jobs.ts';
import type { TopicPlace } from '#shared/domain/messages/topic.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { followsMention } from '#shared/domain/topics/automation.ts';
import type { TopicPolicy } from '#shared/domain/topics/preference.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { idOfPartition } from '#shared/table/keys/key.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Table } from '#shared/table/table.ts';

/**
 * The job that lets mentioned users follow the topic, except users who follow it already or do not want to.
 * One read unit each.
 */
export async function followingJobs(table: Table, userIds: number[], place: TopicPlace): Promise<Job[]> {
  const { channelId, topic } = place;
  const items = await table.findMany(
    userIds.flatMap((userId) => [
      userKeys.settings(userId),
      channelKeys.topicPreference(userId, channelId, toCanonical(topic)),
    ]),
    { eventually: true },
  );
  const refused = items
    .filter(({ values, policy }) =>
      values === undefined
        ? !followsMention(policy as TopicPolicy | undefined)
        : (values as Record<string, unknown>).automatically_follow_topics_where_mentioned === false,
    )
    .map(({ pk }) => idOfPartition(String(pk)));
  const steps = userIds.filter((userId) => !refused.includes(userId));
  return steps.length > 0 ? [{ type: 'follow-mentioned', payload: place, steps }] : [];
}
