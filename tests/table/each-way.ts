import { describe } from 'vitest';
import { engineCalls } from '#infra/local/table/engine-calls.ts';
import { DynamoTable, type DynamoTableOptions } from '#shared/table/dynamo-table.ts';
import { isEmbedded } from '#tests/harness/engine/open-engine.ts';

type OpenTable = (options: DynamoTableOptions & { endpoint: string }) => DynamoTable;

const throughSdk: OpenTable = (options) => new DynamoTable(options);
const withoutSdk: OpenTable = (options) => new DynamoTable(options, engineCalls(options.endpoint));

/** Only an embedded engine can be asked without the SDK. */
const ways: [string, OpenTable][] = [
  ['asked through the SDK', throughSdk],
  ...(isEmbedded ? [['asked without it', withoutSdk] satisfies [string, OpenTable]] : []),
];

/** Rules that hold for a table in whichever way it asks DynamoDB. */
export function describeEachWay(rule: string, tests: (open: OpenTable) => void): void {
  describe.each(ways)(`${rule}, %s,`, (_way, open) => tests(open));
}
