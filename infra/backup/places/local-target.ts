import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTable, LOCAL_TABLE } from '../../local/create-table.ts';
import { convertOldTable, lockDataFolder, openDataFolder, openTableFile } from '../../local/data-folder.ts';
import { DynamoItems, openDynamo } from '../dynamo-items.ts';
import { FileItems } from '../file-items.ts';
import type { Pace } from '../pace.ts';
import type { RawTable } from '../raw-items.ts';
import type { RestoreTarget } from '../restore.ts';
import { FILES_FOLDER, readSecret } from './data-folder.ts';
import { folderTarget } from './folder-files.ts';
import type { SecretTarget } from './place.ts';

export interface LocalPlace {
  dataDir: string;
  /** Absent if the table is a file. */
  dynamodbEndpoint: string | undefined;
  tableName?: string;
}

/** The data of a local service that does not run. @throws StartFailure while it does */
export async function openLocalTarget(
  { dataDir, dynamodbEndpoint, tableName = LOCAL_TABLE }: LocalPlace,
  pace: Pace,
): Promise<{ target: RestoreTarget; close(): Promise<void> }> {
  await openDataFolder(dataDir);
  const lock = lockDataFolder(dataDir);
  try {
    const opened = dynamodbEndpoint
      ? await openOther(dynamodbEndpoint, tableName, pace)
      : await openOwn(dataDir);
    const target = {
      name: dynamodbEndpoint ? `table ${tableName} at ${dynamodbEndpoint}` : `data folder ${dataDir}`,
      table: opened.table,
      files: folderTarget(join(dataDir, FILES_FOLDER)),
      secret: secretIn(dataDir),
      settle: async () => undefined,
    };
    const close = async (): Promise<void> => {
      await opened.close();
      lock.release();
    };
    return { target, close };
  } catch (failure) {
    lock.release();
    throw failure;
  }
}

interface Opened {
  table: RawTable;
  close(): Promise<void>;
}

async function openOwn(dataDir: string): Promise<Opened> {
  await convertOldTable(dataDir);
  const table = openTableFile(dataDir);
  return { table: new FileItems(table), close: () => table.close() };
}

async function openOther(endpoint: string, tableName: string, pace: Pace): Promise<Opened> {
  const client = openDynamo(endpoint);
  await createTable({ endpoint, tableName });
  return { table: new DynamoItems(client, tableName, pace), close: async () => client.destroy() };
}

const secretIn = (dataDir: string): SecretTarget => ({
  find: () => readSecret(dataDir),
  async put(secret) {
    const next = join(dataDir, 'secret~');
    writeFileSync(next, secret, { mode: 0o600, flush: true });
    renameSync(next, join(dataDir, 'secret'));
  },
});
