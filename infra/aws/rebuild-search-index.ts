import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { systemClock } from '#shared/runtime/clock.ts';
import { defaultConfig } from '#shared/runtime/config.ts';
import { indexMessages, rebuildSearchIndex } from '#shared/search/index-messages.ts';
import { findLowWaterMark } from '#shared/store/log/log.ts';
import { DynamoTable } from '#shared/table/dynamo-table.ts';
import { names } from './names.ts';

const HELP = `Usage: npm run rebuild:search -- [options]

Forgets the search index of a deployed stack and builds it anew. Searches compare texts meanwhile, which finds the same
but reaches less far at once. Safe at any time: if it is interrupted, the sweep does the rest.

Options:
  --stage <stage>  the deployment (prod)
  --table <name>   its table (team-chat-<stage>)
  --help           print this text

Environment variables:
  AWS_REGION, AWS_PROFILE   and whatever else the AWS SDK reads`;

/** While the sweep is working. */
const PAUSE_MS = 2_000;

async function run(args: string[]): Promise<void> {
  const string = { type: 'string' } as const;
  const options = {
    stage: { ...string, default: 'prod' },
    table: string,
    help: { type: 'boolean' },
  } as const;
  const { values } = parseArgs({ args, options });
  if (values.help) return console.log(HELP);
  const table = new DynamoTable({ tableName: values.table ?? names(values.stage).table });
  const services = { table, clock: systemClock, config: defaultConfig };
  const { position } = await findLowWaterMark(table);
  await rebuildSearchIndex(services);
  const { positions } = services.config.searchSegment;
  for (let indexed = 0; position - indexed >= positions; ) {
    await indexMessages(services);
    const { indexedPosition } = await findLowWaterMark(table);
    if (indexedPosition === indexed) await sleep(PAUSE_MS);
    indexed = indexedPosition;
    console.log(`Indexed up to position ${indexed} of ${position}.`);
  }
  console.log('The search index is built; what is newer is searched in the log until the sweep adds it.');
}

try {
  await run(process.argv.slice(2));
} catch (failure) {
  console.error(String(failure));
  process.exitCode = 1;
}
