import { readFileSync } from 'node:fs';
import { LOCAL_TABLE } from '../local/create-table.ts';
import { backUp } from './back-up.ts';
import { runCommand } from './command.ts';
import { DynamoItems, openDynamo } from './dynamo-items.ts';
import { readBackupOptions, readLocalPlace } from './options.ts';
import { Pace } from './pace.ts';
import { dataFolderSource } from './places/data-folder.ts';
import { deployedSource, findDeployed } from './places/deployed.ts';
import type { Source } from './places/place.ts';
import { quietTableSource } from './places/quiet-table.ts';
import { showProgress } from './progress.ts';

const HELP = `Usage: npm run backup -- --to <file> [options]

Copies the table and the files of one instant into one archive, while the service runs. Without --stage it copies the
local service of DATA_DIR. After an interruption run it again with the same file.

Options:
  --to <file>              the archive; a backup never replaces a file
  --stage <stage>          a deployed stage instead of the local service
  --at <time>              the state of a stage at a time within 30 days: 2026-05-04T10:00:00Z
  --without-secret         leaves out the secret of API keys
  --units-per-second <n>   limits reads from another DynamoDB (unlimited); a stage is exported, not read
  --table, --bucket <name> table and bucket of the stage, if they have other names
  --help                   print this text

Environment variables:
  BACKUP_PASSPHRASE        encrypts the secret in the archive; 12 characters or more
  DATA_DIR                 folder of the local service (.data)
  DYNAMODB_ENDPOINT        its DynamoDB, if it uses one
  AWS_REGION, AWS_PROFILE  and others that the AWS SDK reads

Only the secret is encrypted: protect the archive like the messages themselves.

Example:
  npm run backup -- --to team-chat.tar --stage prod`;

await runCommand(async (args) => {
  const options = readBackupOptions(args, process.env);
  if (options === 'help') return HELP;
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const { items, files, asOf } = await backUp({
    ...options,
    source: await findSource(options),
    madeBy: version,
    onStep: showProgress(process.stderr),
  });
  return `${options.to} holds ${items} items and ${files} files as of ${asOf}.`;
});

async function findSource(options: Exclude<ReturnType<typeof readBackupOptions>, 'help'>): Promise<Source> {
  const { stage, at, unitsPerSecond } = options;
  const pace = new Pace(unitsPerSecond);
  if (stage) return deployedSource(await findDeployed(stage, options, pace), at);
  const { dataDir, dynamodbEndpoint } = readLocalPlace(process.env);
  if (!dynamodbEndpoint) return dataFolderSource(dataDir);
  const table = new DynamoItems(openDynamo(dynamodbEndpoint), LOCAL_TABLE, pace);
  return quietTableSource(table, dataDir, dynamodbEndpoint);
}
