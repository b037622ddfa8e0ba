import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#shared/runtime/clock.ts';
import { defaultConfig } from '#shared/runtime/config.ts';
import { indexMessages, rebuildSearchIndex } from '#shared/search/index-messages.ts';
import { findLowWaterMark } from '#shared/store/log/log.ts';
import { DynamoTable } from '#shared/table/dynamo-table.ts';
import { readCommandLine } from '../command-line.ts';
import { names } from './names.ts';

const HELP = `Usage: npm run rebuild:search [-- options]

Discards the search index of a deployed stack and rebuilds it. Meanwhile searches compare texts, which covers less at
once. Safe at any time: after an interruption the sweep does the rest.

Options:
  --stage <stage>  the deployment (prod)
  --table <name>   its table (team-chat-<stage>)
  --help           print this text

Environment variables:
  AWS_REGION, AWS_PROFILE   and others that the AWS SDK reads

Example:
  npm run rebuild:search -- --stage prod`;

/** While the sweep is working. */
const PAUSE_MS = 2_000;

const { values } = readCommandLine(HELP, {
  options: { stage: { type: 'string', default: 'prod' }, table: { type: 'string' } },
});

async function rebuild(): Promise<void> {
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
  console.log('The search index is built; the sweep adds newer messages.');
}

try {
  await rebuild();
} catch (failure) {
  console.error(String(failure));
  process.exitCode = 1;
}
