import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createTable, LOCAL_REGION } from '#infra/local/create-table.ts';
import { findSearchIndex } from '#shared/search/search-index.ts';
import { toItem } from '#shared/store/log/log-entry.ts';
import { DynamoTable } from '#shared/table/dynamo-table.ts';
import { logKeys } from '#shared/table/keys/log.ts';
import { CREDENTIALS } from '#tests/harness/environment.ts';
import { directMessage } from '#tests/harness/samples.ts';
import { startEngine } from '#tests/harness/wire-engine/engine.ts';
import { ROOT } from '#tests/infra/root.ts';

const TABLE = 'team-chat-test';
const LAST = 1_000;

const engine = await startEngine();
await createTable({ endpoint: engine.endpoint, tableName: TABLE });
const table = new DynamoTable({ tableName: TABLE, endpoint: engine.endpoint, region: LOCAL_REGION });
const message = directMessage(LAST, 1, [], { content: 'x', html: '<p>x</p>' });
await table.write({
  kind: 'put',
  item: toItem({ position: LAST, atMs: 1, writeId: 'x', events: [], message }),
});
await table.write({ kind: 'update', key: logKeys.lowWaterMark(), set: { position: LAST } });

/** Runs the command as a person would. */
const rebuild = (...args: string[]) =>
  promisify(execFile)(process.execPath, [join(ROOT, 'infra/aws/rebuild-search-index.ts'), ...args], {
    cwd: ROOT,
    env: {
      ...process.env,
      AWS_REGION: LOCAL_REGION,
      ...CREDENTIALS,
      AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
    },
  });

describe('The command that rebuilds the search index', () => {
  test('Builds it from the whole log', async () => {
    const built = `Indexed up to position ${LAST} of ${LAST}.`;
    expect((await rebuild('--stage', 'test')).stdout).toContain(built);
    expect((await rebuild('--stage', 'other', '--table', TABLE)).stdout).toContain(built);
    const index = await findSearchIndex(table);
    expect(index).toMatchObject({ indexed: LAST, segments: [{ from: 1, to: LAST, patches: [] }] });
  });

  test('Prints its help, and the reason if it cannot run', async () => {
    const [help, failure] = await Promise.all([
      rebuild('--help'),
      rebuild('--table', 'none').catch((reason) => reason),
    ]);
    expect(help.stdout).toContain('npm run rebuild:search');
    expect(failure).toMatchObject({ code: 1, stderr: expect.stringContaining('ResourceNotFound') });
  });
});
