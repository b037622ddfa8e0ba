import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { buildFunctions, bundleOptions } from '#infra/build/build.ts';
import { writeBootstrap } from '#tests/harness/lambda/deployed-functions.ts';
import { LambdaFunction } from '#tests/harness/lambda/lambda-function.ts';
import { atMost, type Row } from './report.ts';

/** The allowed start time of a function, as a multiple of that of an empty handler with the same SDK. */
const MOST_EMPTY_HANDLERS = 1.5;
const EMPTY = 'an empty handler with the SDK';

/** What each function that reaches the table loads, and nothing else. */
const EMPTY_SOURCE = `
  import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
  import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
  export const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
  export const handler = async () => ({ statusCode: 200, headers: {}, body: '' });`;

/**
 * The processor time of loading each function, of all that are built: the slowest first. The least of several starts counts,
 * since other work on the machine only adds to it.
 */
export async function measureStarts(runs: number): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'team-chat-starts-'));
  try {
    const { bytesByFunction } = await buildFunctions(folder);
    const functions = join(folder, 'functions');
    const empty = join(folder, 'empty');
    await buildEmpty(join(empty, 'functions'));
    const bootstrap = writeBootstrap(folder);
    const names = Object.keys(bytesByFunction);
    const leastMs = new Map<string, number>();
    // They take turns, so that a busy moment hits all alike.
    for (let run = 0; run < runs; run++)
      for (const name of [EMPTY, ...names]) {
        const isEmpty = name === EMPTY;
        const at = isEmpty ? join(empty, 'functions') : functions;
        const ms = await startOf(at, isEmpty ? 'empty' : name, bootstrap);
        leastMs.set(name, Math.min(ms, leastMs.get(name) ?? ms));
      }
    const leastOf = (name: string): number => leastMs.get(name) ?? Number.NaN;
    return names
      .map((name) => ({ name, ratio: leastOf(name) / leastOf(EMPTY) }))
      .sort((a, b) => b.ratio - a.ratio)
      .map(({ name, ratio }) =>
        atMost(
          `${name}, ${leastOf(name).toFixed(0)} ms`,
          ratio,
          (times) => `${times.toFixed(2)} ×`,
          MOST_EMPTY_HANDLERS,
        ),
      );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function buildEmpty(outdir: string): Promise<void> {
  mkdirSync(outdir, { recursive: true });
  await build({
    ...bundleOptions,
    stdin: { contents: EMPTY_SOURCE, resolveDir: import.meta.dirname, loader: 'ts' },
    outdir,
    entryNames: 'empty',
  });
}

async function startOf(folder: string, name: string, bootstrap: string): Promise<number> {
  const environment = { AWS_ENDPOINT_URL: 'http://127.0.0.1:9', TABLE_NAME: 'bench' };
  const settings = { functionName: name, folder, handler: `${name}.handler`, environment };
  const deployed = new LambdaFunction({ ...settings, timeoutSeconds: 29, memoryMegabytes: 512 }, bootstrap);
  const usage = await deployed.provision();
  await deployed.shutDown();
  if (!usage) throw new Error(`${name} does not start:\n${deployed.output}`);
  return usage.cpuMs;
}
