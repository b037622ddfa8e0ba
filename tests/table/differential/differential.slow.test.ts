import { test } from 'vitest';
import { SqliteTable } from '#shared/table/sqlite/sqlite-table.ts';
import { givenEndpoint, openDynamoTable } from '#tests/harness/table/test-table.ts';
import { engineEndpoint, useWireEngine } from '#tests/harness/wire-engine/wire-engine.ts';
import { expectSameOutcomes } from './differential.ts';

await useWireEngine();

/** A given DynamoDB may count by other rules than the documented ones. */
const comparesUnits = givenEndpoint === undefined;
const seeds = Array.from({ length: 40 }, (_, index) => index + 1);
const freshSeed = Math.floor(Math.random() * 2 ** 31);

test.each([...seeds, freshSeed])('SQLite and DynamoDB give the same outcomes of seed %i', async (seed) => {
  await expectSameOutcomes(
    seed,
    [async (meter) => new SqliteTable({ meter }), (meter) => openDynamoTable(engineEndpoint(), meter)],
    { comparesUnits },
  );
});
