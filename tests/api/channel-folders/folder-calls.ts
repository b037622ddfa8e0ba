import type { Client, Params } from '#tests/harness/client.ts';

let folderCount = 0;

/** A folder of its own for a test. */
export async function makeFolder(client: Client, params: Params = {}): Promise<{ id: number; name: string }> {
  const name = `Folder ${++folderCount}`;
  const { body } = await client.post('/channel_folders/create', { name, ...params });
  return { id: body.channel_folder_id, name };
}

export interface FolderRecord {
  id: number;
  name: string;
  description: string;
  rendered_description: string;
  order: number;
  date_created: number;
  creator_id: number;
  is_archived: boolean;
}

export const foldersSeenBy = async (client: Client, params: Params = {}): Promise<FolderRecord[]> =>
  (await client.get('/channel_folders', params)).body.channel_folders;
