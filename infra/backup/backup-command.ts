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

Copies the table and the files into one archive, as of one instant, while the service runs. Without --stage that is the
local service of DATA_DIR. Run it again with the same file to go on after an interruption.

Options:
  --to <file>              the archive; a backup never replaces a file
  --stage <stage>          a deployed stage instead of the local service
  --at <time>              a stage as it was then, within 30 days: 2026-05-04T10:00:00Z
  --without-secret         leaves out the secret from which API keys are derived
  --units-per-second <n>   read no faster from another DynamoDB (as fast as it goes); a stage is not read at all
  --table, --bucket <name> those of the stage, if they have other names
  --help                   print this text

Environment variables:
  BACKUP_PASSPHRASE        seals the secret in the archive; 12 characters or more
  DATA_DIR                 folder of the local service (.data)
  DYNAMODB_ENDPOINT        its DynamoDB, if it uses one
  AWS_REGION, AWS_PROFILE  and whatever else the AWS SDK reads

Everything but the secret lies in the archive in the clear: keep it as you keep the messages themselves.

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
