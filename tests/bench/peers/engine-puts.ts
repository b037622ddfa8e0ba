import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createTable, LOCAL_TABLE } from '#infra/local/create-table.ts';
import { startEngine } from '#infra/local/engine.ts';
import { percentile } from '../report.ts';

const PUTS = 100;
const GAP_MS = 20;
const AT_ONCE = 8;
const MS_AT_ONCE = 2_000;
/** The bytes of a log entry with a message of 200 characters, about. */
const ITEM_CHARACTERS = 900;

/** What the embedded engine takes for one put, and how many it does in a second for eight callers. */
export interface EnginePuts {
  p50Ms: number;
  perSecond: number;
}

/** Measures puts of an engine of its own by bare HTTP, without the table client of the service. */
export async function measureEnginePuts(): Promise<EnginePuts> {
  const folder = await mkdtemp(join(tmpdir(), 'puts-'));
  const engine = await startEngine({ databasePath: join(folder, 'database.sqlite') });
  await createTable({ endpoint: engine.endpoint, tableName: LOCAL_TABLE });
  const agent = new Agent({ keepAlive: true });
  const text = 'x'.repeat(ITEM_CHARACTERS);
  let count = 0;
  const put = async (): Promise<number> => {
    const Item = { pk: { S: 'PUT' }, sk: { S: String(count++) }, text: { S: text } };
    const start = performance.now();
    await putItem(engine.endpoint, agent, { TableName: LOCAL_TABLE, Item });
    return performance.now() - start;
  };
  const times: number[] = [];
  for (let n = 0; n < PUTS; n++) {
    times.push(await put());
    await pause(GAP_MS);
  }
  const endMs = performance.now() + MS_AT_ONCE;
  const before = count;
  const putOn = async (): Promise<void> => {
    while (performance.now() < endMs) await put();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, putOn));
  const perSecond = (count - before) / (MS_AT_ONCE / 1000);
  agent.destroy();
  await engine.stop();
  await rm(folder, { recursive: true, force: true });
  return { p50Ms: percentile(times, 0.5), perSecond };
}

function putItem(endpoint: string, agent: Agent, input: object): Promise<void> {
  const body = JSON.stringify(input);
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': Buffer.byteLength(body),
    'x-amz-target': 'DynamoDB_20120810.PutItem',
    'x-amz-date': '20260101T000000Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
  };
  return new Promise((resolve, reject) => {
    const asked = request(endpoint, { method: 'POST', headers, agent }, (reply) => {
      reply.resume();
      reply.on('end', () =>
        reply.statusCode === 200 ? resolve() : reject(new Error(`The engine answered ${reply.statusCode}`)),
      );
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
