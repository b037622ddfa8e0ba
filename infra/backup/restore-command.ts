import { names } from '../aws/names.ts';
import { runCommand } from './command.ts';
import { readLocalPlace, readRestoreOptions } from './options.ts';
import { Pace } from './pace.ts';
import { deployedTarget, findDeployed } from './places/deployed.ts';
import { openLocalTarget } from './places/local-target.ts';
import { makeSchedules } from './places/schedules.ts';
import { type OnStep, showProgress } from './progress.ts';
import { type RestoreTarget, restore } from './restore.ts';

const HELP = `Usage: npm run restore -- --from <file> [options]

Restores table and files of an archive into an empty stage, or into the data folder of a stopped local service. The
archive is checked before anything is written. After an interruption run it again with the same file.

Options:
  --from <file>            the archive
  --stage <stage>          a deployed stage instead of the local service
  --replace                first empties the stage or folder; without it, one with content is refused
  --keep-queues            keeps event queues; only if nothing was written since the backup
  --without-secret         keeps the current secret of API keys
  --settle-seconds <n>     with --replace: time for running functions before the table is emptied (75)
  --units-per-second <n>   limits writes (unlimited)
  --schedules-only         only makes the schedules of waiting messages of the stage
  --table, --bucket <name> table and bucket of the stage, if they have other names
  --help                   print this text

Environment variables:
  BACKUP_PASSPHRASE        the passphrase of the archive
  DATA_DIR                 folder of the local service (.data)
  DYNAMODB_ENDPOINT        its DynamoDB, if it uses one
  AWS_REGION, AWS_PROFILE  and others that the AWS SDK reads

Example:
  DATA_DIR=restored npm run restore -- --from team-chat.tar`;

type Options = Exclude<ReturnType<typeof readRestoreOptions>, 'help'>;

await runCommand(async (args) => {
  const options = readRestoreOptions(args, process.env);
  if (options === 'help') return HELP;
  const onStep = showProgress(process.stderr);
  if (options.schedulesOnly) return schedule(options, onStep);
  const { target, close } = await openTarget(options, onStep);
  try {
    const done = await restore({ ...options, target, onStep });
    const said = `${target.name} holds ${done.items} items and ${done.files} files as of ${done.asOf}.`;
    return options.stage ? `${said}\n${await schedule(options, onStep)}` : said;
  } finally {
    await close();
  }
});

async function openTarget(
  { stage, table, bucket, unitsPerSecond, settleSeconds }: Options,
  onStep: OnStep,
): Promise<{ target: RestoreTarget; close(): Promise<void> }> {
  const pace = new Pace(unitsPerSecond);
  if (stage) {
    const deployed = await findDeployed(stage, { table, bucket }, pace);
    const target = deployedTarget(deployed, { stage, settleSeconds }, onStep);
    return { target, close: async () => undefined };
  }
  return openLocalTarget(readLocalPlace(process.env), pace);
}

async function schedule({ stage = '', table }: Options, onStep: OnStep): Promise<string> {
  const made = await makeSchedules({ stage, tableName: table ?? names(stage).table }, onStep);
  return made === undefined
    ? `The functions of the stage ${stage} are not deployed yet. Until you run --schedules-only after deploying them, messages that wait are delivered up to 5 minutes late.`
    : `${made} schedules are made.`;
}
