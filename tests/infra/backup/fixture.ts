import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { endpoints } from '#functions/routes.ts';
import { ITEMS } from '#infra/backup/archive/format.ts';
import { entriesOf } from '#infra/backup/archive/reader.ts';
import { type BackupOptions, backUp } from '#infra/backup/back-up.ts';
import { DynamoItems, openDynamo } from '#infra/backup/dynamo-items.ts';
import { Pace } from '#infra/backup/pace.ts';
import { dataFolderSource } from '#infra/backup/places/data-folder.ts';
import { openLocalTarget } from '#infra/backup/places/local-target.ts';
import { quietTableSource } from '#infra/backup/places/quiet-table.ts';
import type { OnStep } from '#infra/backup/progress.ts';
import { type RawTable, toLine } from '#infra/backup/raw-items.ts';
import { type Restored, type RestoreOptions, restore } from '#infra/backup/restore.ts';
import { LOCAL_TABLE } from '#infra/local/create-table.ts';
import { startService } from '#infra/local/start.ts';
import { createWorldWithPhone } from '#tests/conformance/recording.ts';
import { callAs } from '#tests/conformance/requests.ts';
import { samples } from '#tests/conformance/samples/samples.ts';
import type { World } from '#tests/conformance/world.ts';
import { QUICK_PASSWORDS } from '#tests/harness/quick-passwords.ts';
import { Meter, PASSWORD, startTestService, TestService } from '#tests/harness/service.ts';
import { engineEndpoint } from '#tests/harness/wire-engine/wire-engine.ts';

export const PASSPHRASE = 'a passphrase of tests';
/** Sealing is slow on purpose, and tests make many archives. */
const QUICK_SEAL = 2 ** 10;
export const ignoreSteps: OnStep = () => undefined;

/** A service that keeps its data in a folder. */
export async function startIn(dataDir: string): Promise<TestService> {
  const lookSchedule = [{ fromAgeMs: 0, everyMs: 20 }];
  const config = { pollHoldMs: 500, lookSchedule, passwordCost: QUICK_PASSWORDS };
  return new TestService(
    await startService({ port: 0, dataDir, ownerPassword: PASSWORD, config, sweepIntervalMs: null }),
    new Meter(),
  );
}

/** A service that keeps its files and secret in a folder, and its table in the DynamoDB of the test run. */
export const startBeside = (dataDir: string, tableName: string): Promise<TestService> =>
  startTestService({}, { dataDir, tableName, dynamodbEndpoint: engineEndpoint(), secret: undefined });

/** One operation for each type of item that writes it. */
const WRITERS: (keyof typeof endpoints)[] = [
  ...(['createBot', 'updateBotStorage', 'createInvitationLink', 'createInvitations'] as const),
  ...(['createProfileField', 'createUser', 'createUserGroup', 'editSettings', 'muteUser'] as const),
  ...(['setOwnStatus', 'signIn', 'askForPasswordReset', 'updatePresence', 'createChannelFolder'] as const),
  ...(['createDefaultGroup', 'setTopicPolicy', 'addReaction', 'addSubmessage', 'createReminder'] as const),
  ...(['createScheduledMessage', 'uploadCustomEmoji', 'editMessage', 'deleteMessage'] as const),
  ...(['updateMessageFlags', 'registerQueue', 'createDrafts', 'createNavigationView'] as const),
  ...(['createSavedSnippet', 'addAlertWords', 'addFcmToken', 'registerPushDevice'] as const),
  ...(['createExport', 'createLinkifier', 'createPlayground', 'uploadOwnAvatar', 'uploadFile'] as const),
  'continueResumableUpload',
];

/** An organization in which there is something of everything. */
export async function writeOfEverything(service: TestService): Promise<World> {
  const world = await createWorldWithPhone(service);
  for (const name of WRITERS)
    await callAs(service.url, endpoints[name], await samples[name](world), world.caller.authorization);
  await service.settle();
  return world;
}

export const back = (dataDir: string, to: string, options: Partial<BackupOptions> = {}) =>
  backUp({
    source: dataFolderSource(dataDir),
    to,
    passphrase: PASSPHRASE,
    sealCost: QUICK_SEAL,
    madeBy: 'test',
    onStep: ignoreSteps,
    partBytes: 20_000,
    ...options,
  });

/** The table of a service of `startBeside`. */
export const tableBeside = (tableName: string): DynamoItems =>
  new DynamoItems(openDynamo(engineEndpoint()), tableName, new Pace());

/** The same of a service of `startBeside`, which must not change anything meanwhile. */
export const backBeside = (
  dataDir: string,
  tableName: string,
  to: string,
  options: Partial<BackupOptions> = {},
) =>
  back(dataDir, to, {
    source: quietTableSource(tableBeside(tableName), dataDir, engineEndpoint()),
    ...options,
  });

/** Restores into a data folder. */
export async function putBack(
  archive: string,
  dataDir: string,
  options: Partial<RestoreOptions> & { dynamodbEndpoint?: string; tableName?: string } = {},
): Promise<Restored> {
  const { dynamodbEndpoint, tableName = LOCAL_TABLE, ...others } = options;
  const { target, close } = await openLocalTarget({ dataDir, dynamodbEndpoint, tableName }, new Pace());
  try {
    return await restore({ archive, target, passphrase: PASSPHRASE, onStep: ignoreSteps, ...others });
  } finally {
    await close();
  }
}

/** Restores beside a data folder, into a table of the DynamoDB of the test run. */
export const putBackBeside = (
  archive: string,
  dataDir: string,
  tableName: string,
  options: Partial<RestoreOptions> = {},
): Promise<Restored> =>
  putBack(archive, dataDir, { dynamodbEndpoint: engineEndpoint(), tableName, ...options });

/** Every item of a table as its line, sorted. */
export async function dumpTable(table: RawTable): Promise<string[]> {
  const lines: string[] = [];
  for await (const { items } of table.scan()) lines.push(...items.map(toLine));
  return lines.sort();
}

/** The stored files of a data folder, by name. */
export async function filesOf(dataDir: string): Promise<Record<string, string>> {
  const folder = join(dataDir, 'files');
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const contents = paths
    .sort()
    .map(async (path) => [path.slice(folder.length), await readFile(path, 'base64')] as const);
  return Object.fromEntries(await Promise.all(contents));
}

/** The contents of an archive after its header, which differs with each backup. */
export async function contentsOf(archive: string): Promise<Record<string, string>> {
  const contents: Record<string, string> = {};
  for await (const { header, body } of entriesOf(archive)) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    if (!/\.json$|^checksums/.test(header.name))
      contents[header.name] = Buffer.concat(chunks).toString('base64');
  }
  return contents;
}

/** Every item of an archive as its line, sorted. */
export async function linesOf(archive: string): Promise<string[]> {
  const parts = Object.entries(await contentsOf(archive)).filter(([name]) => name.startsWith(ITEMS));
  return parts
    .flatMap(([, part]) =>
      gunzipSync(Buffer.from(part, 'base64'))
        .toString('utf8')
        .split(/(?<=\n)/),
    )
    .sort();
}

/** A process that ends at its nth step, not counting those by which an archive is checked. */
export class Crash extends Error {}
export function crashAt(step: number): OnStep {
  let steps = 0;
  return ({ doing }) => {
    if (!doing.startsWith('Checking') && ++steps === step) throw new Crash();
  };
}

/** Runs something again and again, ended at a later step each time, until it comes to its end. @returns how often it was ended */
export async function crashAgainAndAgain(
  run: (onStep: OnStep) => Promise<unknown>,
  between: (crashes: number) => Promise<unknown>,
): Promise<number> {
  for (let crashes = 0; ; crashes++) {
    try {
      await run(crashAt(2 + 2 * crashes));
      return crashes;
    } catch (failure) {
      if (!(failure instanceof Crash)) throw failure;
      await between(crashes + 1);
    }
  }
}
