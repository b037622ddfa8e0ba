import { join } from 'node:path';
import { systemClock } from '#shared/runtime/clock.ts';
import { DynamoTable } from '#shared/table/dynamo-table.ts';
import { readCommandLine } from '../command-line.ts';
import { LOCAL_REGION, LOCAL_TABLE } from './create-table.ts';
import { findRunningEngine, lockDataFolder } from './data-folder.ts';
import { startEngine } from './engine.ts';
import { readOptions } from './options.ts';
import { readOwnerFile } from './owner-file.ts';
import { createSignInLink } from './sign-in-link.ts';
import { StartFailure } from './start-failure.ts';

const HELP = `Usage: npm run sign-in-link

Prints a new link by which the owner signs in to the service on this computer, once and within 15 minutes. The service may
run, or start later at the same address.

Environment variables, as of npm start:
  DATA_DIR           folder that keeps the data (.data)
  DYNAMODB_ENDPOINT  address of another DynamoDB than the embedded one

Options:
  --help             print this text

Example:
  DATA_DIR=restored npm run sign-in-link`;

async function main(): Promise<void> {
  readCommandLine(HELP);
  const { dataDir, dynamodbEndpoint } = readOptions(process.env);
  if (dataDir === undefined)
    throw new StartFailure('A service that keeps nothing prints its sign-in link when it starts.');
  const { email, url } = await readOwnerFile(dataDir);
  const link = await withTable(dataDir, dynamodbEndpoint, (endpoint) => {
    const table = new DynamoTable({ tableName: LOCAL_TABLE, endpoint, region: LOCAL_REGION });
    return createSignInLink({ table, clock: systemClock }, url, email);
  });
  console.log(link);
}

/** Works on the database of a data folder: with the engine of the service that runs, or else with one of its own. */
async function withTable(
  dataDir: string,
  given: string | undefined,
  work: (endpoint: string) => Promise<string>,
): Promise<string> {
  const running = given ?? (await findRunningEngine(dataDir));
  if (running !== undefined) return work(running);
  const lock = lockDataFolder(dataDir);
  const engine = await startEngine({ databasePath: join(dataDir, 'database.sqlite') });
  try {
    return await work(engine.endpoint);
  } finally {
    await engine.stop();
    lock.release();
  }
}

main().catch((failure) => {
  console.error(failure instanceof StartFailure ? failure.message : `There is no link: ${failure}`);
  process.exitCode = 1;
});
