import type { Preferences } from '#shared/domain/narrow/term.ts';
import { toTopicPolicies } from '#shared/domain/topics/visibility.ts';
import type { Table } from '#shared/table/table.ts';
import { getMutedUsers } from './muted-users.ts';
import { listTopicPreferences } from './topic-preferences.ts';

/** What the user wants to hear of. Two reads, and more for many topics. */
export async function loadPreferences(table: Table, userId: number): Promise<Preferences> {
  const [topics, { mutedUsers }] = await Promise.all([
    listTopicPreferences(table, userId),
    getMutedUsers(table, userId),
  ]);
  return { policies: toTopicPolicies(topics), mutedUserIds: new Set(mutedUsers.map(({ id }) => id)) };
}
