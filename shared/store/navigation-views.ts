import type { NavigationViews } from '#shared/domain/navigation-views/view.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

/** The navigation views of the user. One read. */
export async function getNavigationViews(table: Table, userId: number): Promise<NavigationViews> {
  const item = (await table.find(keys.navigationViews(userId))) as Partial<NavigationViews> | undefined;
  return { userId, revision: item?.revision ?? 0, views: item?.views ?? [] };
}
