import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '#shared/runtime/clock.ts';
import { DynamoTable } from '#shared/table/dynamo-table.ts';
import type { Table } from '#shared/table/table.ts';
import { readCommandLine } from '../command-line.ts';
import { LOCAL_REGION, LOCAL_TABLE } from './create-table.ts';
import { openTableFile, TABLE_FILE } from './data-folder.ts';
import { readOptions } from './options.ts';
import { readOwnerFile } from './owner-file.ts';
import { createSignInLink } from './sign-in-link.ts';
import { StartFailure } from './start-failure.ts';

const HELP = `Usage: npm run sign-in-link

Prints a new link that signs the owner in to the service on this computer, once and within 15 minutes. The service may
run, or start later at the same address.

Environment variables, as of npm start:
  DATA_DIR           folder that keeps the data (.data)
  DYNAMODB_ENDPOINT  address of its DynamoDB, if it uses one

Options:
  --help             print this text

Example:
  DATA_DIR=restored npm run sign-in-link`;

async function print(): Promise<void> {
  readCommandLine(HELP);
  const { dataDir, dynamodbEndpoint } = readOptions(process.env);
  if (dataDir === undefined)
    throw new StartFailure('A service that keeps nothing prints its sign-in link when it starts.');
  const { email, url } = await readOwnerFile(dataDir);
  const { table, close } = openTable(dataDir, dynamodbEndpoint);
  try {
    console.log(await createSignInLink({ table, clock: systemClock }, url, email));
  } finally {
    await close();
  }
}

/** The table of a service, which may be running. */
function openTable(dataDir: string, endpoint: string | undefined): { table: Table; close(): Promise<void> } {
  if (endpoint !== undefined) {
    const table = new DynamoTable({ tableName: LOCAL_TABLE, endpoint, region: LOCAL_REGION });
    return { table, close: async () => undefined };
  }
  // An empty file would keep the next start from converting the data of an earlier version.
  if (!existsSync(join(dataDir, TABLE_FILE)))
    throw new StartFailure(
      `No service of this version has started in the folder ${dataDir}: npm start does.`,
    );
  const table = openTableFile(dataDir);
  return { table, close: () => table.close() };
}

/** Prints the link, or why there is none. */
export const printSignInLink = (): Promise<void> =>
  print().catch((failure) => {
    console.error(failure instanceof StartFailure ? failure.message : `There is no link: ${failure}`);
    process.exitCode = 1;
  });

// Not when the bundle of the service includes it.
if (import.meta.main) await printSignInLink();
