import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTable, LOCAL_TABLE } from '../../local/create-table.ts';
import { lockDataFolder, openDataFolder } from '../../local/data-folder.ts';
import { startEngine } from '../../local/engine.ts';
import type { Pace } from '../pace.ts';
import type { RestoreTarget } from '../restore.ts';
import { openDynamo, RawTable } from '../table-items.ts';
import { DATABASE, FILES_FOLDER, readSecret } from './data-folder.ts';
import { folderTarget } from './folder-files.ts';
import type { SecretTarget } from './place.ts';

export interface LocalPlace {
  dataDir: string;
  /** Absent for the embedded DynamoDB. */
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
  const engine = dynamodbEndpoint
    ? undefined
    : await startEngine({ databasePath: join(dataDir, DATABASE) }).catch((failure) => {
        lock.release();
        throw failure;
      });
  const endpoint = dynamodbEndpoint ?? engine?.endpoint ?? '';
  const client = openDynamo(endpoint);
  const close = async (): Promise<void> => {
    client.destroy();
    await engine?.stop();
    lock.release();
  };
  try {
    await createTable({ endpoint, tableName });
  } catch (failure) {
    await close();
    throw failure;
  }
  const target = {
    name: dynamodbEndpoint ? `table ${tableName} at ${dynamodbEndpoint}` : `data folder ${dataDir}`,
    table: new RawTable(client, tableName, pace, engine ? 'transactions' : 'batches'),
    files: folderTarget(join(dataDir, FILES_FOLDER)),
    secret: secretIn(dataDir),
    settle: async () => undefined,
  };
  return { target, close };
}

const secretIn = (dataDir: string): SecretTarget => ({
  find: () => readSecret(dataDir),
  async put(secret) {
    const next = join(dataDir, 'secret~');
    writeFileSync(next, secret, { mode: 0o600, flush: true });
    renameSync(next, join(dataDir, 'secret'));
  },
});
