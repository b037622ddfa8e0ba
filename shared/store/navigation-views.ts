import type { NavigationViews } from '#shared/domain/navigation-views/view.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Table } from '#shared/table/table.ts';

/** The navigation views of the user. One read. */
export async function getNavigationViews(table: Table, userId: number): Promise<NavigationViews> {
  const item = (await table.find(userKeys.navigationViews(userId))) as Partial<NavigationViews> | undefined;
  return { userId, revision: item?.revision ?? 0, views: item?.views ?? [] };
}
