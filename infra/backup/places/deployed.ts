import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import {
  DescribeExportCommand,
  DescribeTableCommand,
  type ExportDescription,
  ExportTableToPointInTimeCommand,
} from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { GetParameterCommand, ParameterNotFound, PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { endpointFromEnvironment } from '#shared/adapters/aws-endpoint.ts';
import { names } from '../../aws/names.ts';
import { BackupFailure } from '../archive/format.ts';
import { DynamoItems, openDynamo } from '../dynamo-items.ts';
import type { Pace } from '../pace.ts';
import type { OnStep } from '../progress.ts';
import type { RestoreTarget } from '../restore.ts';
import { type Bucket, bucketTarget, filesAt, keysIn, purge, readRanges } from './bucket-files.ts';
import { countItems } from './data-folder.ts';
import type { OpenSource, SecretTarget, Source } from './place.ts';

export interface Deployed {
  table: DynamoItems;
  tableArn: string;
  bucket: Bucket;
  secretParameter: string;
}

/** Between two looks whether the export is done. */
const PAUSE_MS = { first: 500, longest: 15_000 };

const LINES_PER_PAGE = 1_000;

/** The table of a stage, its bucket and the name of its secret; table and bucket may have other names. */
export async function findDeployed(
  stage: string,
  { table: tableName, bucket }: { table: string | undefined; bucket: string | undefined },
  pace: Pace,
): Promise<Deployed> {
  const { table: usualTable, secretParameter } = names(stage);
  const table = new DynamoItems(openDynamo(), tableName ?? usualTable, pace);
  const { Table } = await table.client.send(new DescribeTableCommand({ TableName: table.name }));
  const tableArn = Table?.TableArn ?? '';
  const [, , , region = '', account = ''] = tableArn.split(':');
  // An emulator of AWS serves all buckets at one address.
  const forcePathStyle = endpointFromEnvironment('S3') !== undefined;
  const client = new S3Client({ region, forcePathStyle });
  const files = { client, name: bucket ?? `${table.name}-${account}-${region}` };
  return { table, tableArn, bucket: files, secretParameter };
}

/**
 * A deployed service. DynamoDB exports the table as of one instant into the bucket, from its point-in-time recovery: that
 * costs the table no capacity. Files are the ones that the bucket had at that instant.
 */
export const deployedSource = (
  deployed: Deployed,
  at?: Date,
  sleep: (ms: number) => Promise<unknown> = pause,
): Source => ({
  name: `table ${deployed.table.name}${at ? ` at ${at.toISOString()}` : ''}`,
  async open(id, saved, save) {
    const prefix = `table-exports/${id}`;
    const exportArn =
      (saved?.exportArn as string | undefined) ?? (await beginExport(deployed, prefix, id, at));
    await save({ exportArn });
    const done = await waitForExport(deployed, exportArn, sleep);
    const asOf = (done.ExportTime ?? at ?? new Date()).toISOString();
    return openExport(deployed, done, { prefix, asOf });
  },
});

async function beginExport(
  { table, tableArn, bucket }: Deployed,
  prefix: string,
  id: string,
  at: Date | undefined,
): Promise<string> {
  const { ExportDescription: begun } = await table.client.send(
    new ExportTableToPointInTimeCommand({
      TableArn: tableArn,
      S3Bucket: bucket.name,
      S3Prefix: prefix,
      ExportFormat: 'DYNAMODB_JSON',
      ClientToken: id,
      ExportTime: at,
    }),
  );
  if (!begun?.ExportArn) throw new Error('DynamoDB named no export');
  return begun.ExportArn;
}

async function waitForExport(
  { table }: Deployed,
  ExportArn: string,
  sleep: (ms: number) => Promise<unknown>,
): Promise<ExportDescription> {
  for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS.longest)) {
    const { ExportDescription: state } = await table.client.send(new DescribeExportCommand({ ExportArn }));
    if (state?.ExportStatus === 'COMPLETED') return state;
    if (state?.ExportStatus !== 'IN_PROGRESS')
      throw new BackupFailure(
        `DynamoDB could not export the table: ${state?.FailureMessage ?? 'it says not why'}.`,
      );
    await sleep(pauseMs);
  }
}

async function openExport(
  { table, bucket, secretParameter }: Deployed,
  { ItemCount }: ExportDescription,
  { prefix, asOf }: { prefix: string; asOf: string },
): Promise<OpenSource> {
  return {
    asOf,
    itemsAbout: ItemCount ?? (await countItems(table)),
    items: (after) => readExport(bucket, `${prefix}/`, ItemCount, after as ExportPlace | undefined),
    files: (after) => filesAt(bucket, new Date(asOf), after),
    secret: () => secretOf(secretParameter).find(),
    async close() {
      table.client.destroy();
      bucket.client.destroy();
    },
    forget: () => purge(bucket, `${prefix}/`),
  };
}

/** The lines read of the data file with this key, and the items read in all. */
interface ExportPlace {
  key: string;
  lines: number;
  items: number;
}

/** @throws BackupFailure when the export has other items than DynamoDB counted */
async function* readExport(bucket: Bucket, prefix: string, expected: number | undefined, from?: ExportPlace) {
  let items = from?.items ?? 0;
  for await (const { key, size } of keysIn(bucket, prefix)) {
    if (!/\/data\/[^/]+\.gz$/.test(key) || key < (from?.key ?? '')) continue;
    const skipped = key === from?.key ? from.lines : 0;
    for await (const { lines, read } of pagesOf(linesOf(bucket, key, size), skipped)) {
      items += lines.length;
      yield { lines, after: { key, lines: read, items } satisfies ExportPlace };
    }
  }
  if (expected !== undefined && items !== expected)
    throw new BackupFailure(`The export has ${items} items, and DynamoDB counted ${expected}.`);
}

/** The lines after the skipped ones in pages, each with the number of lines up to its end. The last page may be empty. */
async function* pagesOf(
  lines: AsyncIterable<string>,
  skipped: number,
): AsyncGenerator<{ lines: string[]; read: number }> {
  let read = 0;
  let page: string[] = [];
  for await (const line of lines) {
    if (++read <= skipped) continue;
    page.push(`${line}\n`);
    if (page.length < LINES_PER_PAGE) continue;
    yield { lines: page, read };
    page = [];
  }
  yield { lines: page, read };
}

async function* linesOf(bucket: Bucket, key: string, size: number): AsyncGenerator<string> {
  const unpacked = Readable.from(readRanges(bucket, key, size)).pipe(createGunzip());
  for await (const line of createInterface({ input: unpacked, crlfDelay: Number.POSITIVE_INFINITY }))
    if (line) yield line;
}

/** A stage into which is restored. */
export const deployedTarget = (
  { table, bucket, secretParameter }: Deployed,
  { stage, settleSeconds }: { stage: string; settleSeconds: number },
  onStep: OnStep,
  sleep: (ms: number) => Promise<unknown> = pause,
): RestoreTarget => ({
  name: `stage ${stage}`,
  table,
  files: bucketTarget(bucket),
  secret: secretOf(secretParameter),
  async settle() {
    const doing = `Waiting ${settleSeconds} s until functions notice that the organization is closed`;
    onStep({ doing, done: 0 });
    await sleep(settleSeconds * 1000);
  },
});

/** A secret in the parameter of a stage. */
export function secretOf(name: string): SecretTarget {
  const client = new SSMClient();
  return {
    async find() {
      try {
        return (await client.send(new GetParameterCommand({ Name: name, WithDecryption: true }))).Parameter
          ?.Value;
      } catch (failure) {
        if (failure instanceof ParameterNotFound) return undefined;
        throw failure;
      }
    },
    async put(secret) {
      const parameter = { Name: name, Type: 'SecureString', Value: secret, Overwrite: true } as const;
      await client.send(new PutParameterCommand(parameter));
    },
  };
}
