import type { Preferences } from '#shared/domain/narrow/term.ts';
import { toTopicPolicies } from '#shared/domain/topics/visibility.ts';
import { getMutedUsers } from '#shared/store/users/muted-users.ts';
import type { Table } from '#shared/table/table.ts';
import { listTopicPreferences } from './topic-preferences.ts';

/** The user's muted and followed topics, channels and users. Two reads, more for many topics. */
export async function loadPreferences(table: Table, userId: number): Promise<Preferences> {
  const [topics, { mutedUsers }] = await Promise.all([
    listTopicPreferences(table, userId),
    getMutedUsers(table, userId),
  ]);
  return { policies: toTopicPolicies(topics), mutedUserIds: new Set(mutedUsers.map(({ id }) => id)) };
}
