import type { Folder, Folders } from '#shared/domain/channels/folders.ts';
import { channelKeys, channelPartitions } from '#shared/table/keys/channels.ts';
import { recordOf, type Table } from '#shared/table/table.ts';

/** All folders in order, archived ones included. One strongly consistent query. */
export async function listFolders(table: Table): Promise<Folders> {
  const items = await table.list({ partition: channelPartitions.folders(), consistent: true });
  const orderKey = channelKeys.folderOrder().sk;
  const { order = [], revision = 0 } = (items.find(({ sk }) => sk === orderKey) ?? {}) as {
    order?: number[];
    revision?: number;
  };
  const places = new Map(order.map((folderId, index) => [folderId, index]));
  const folders = items.filter(({ sk }) => sk !== orderKey).map((item) => recordOf<Folder>(item));
  const placeOf = ({ folderId }: Folder): number => places.get(folderId) ?? order.length;
  return { folders: folders.sort((a, b) => placeOf(a) - placeOf(b)), revision };
}
