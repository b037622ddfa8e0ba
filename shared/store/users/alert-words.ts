import type { AlertWords } from '#shared/domain/alert-words/alert-words.ts';
import { type Alerts, alertsOf, noAlerts } from '#shared/domain/alert-words/alerts.ts';
import type { User } from '#shared/domain/users/user.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Table } from '#shared/table/table.ts';

/** A user's alert words, past ones included. One strongly consistent read. */
export async function getAlertWords(table: Table, userId: number): Promise<AlertWords> {
  const item = (await table.find(userKeys.alertWords(userId))) as Partial<AlertWords> | undefined;
  return { words: item?.words ?? [], past: item?.past ?? [], revision: item?.revision ?? 0 };
}

/** The matcher of the caller's alert words. Reads nothing for callers who never had any. */
export const loadAlerts = async (table: Table, caller: User): Promise<Alerts> =>
  caller.hasAlertWords ? alertsOf(await getAlertWords(table, caller.userId)) : noAlerts;
