import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createTable } from '#infra/local/create-table.ts';
import { DynamoTable } from '#shared/table/dynamo-table.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import { serveLocally } from '#tests/harness/local-server.ts';
import { engineEndpoint, useWireEngine } from '#tests/harness/wire-engine/wire-engine.ts';

interface BatchGet {
  RequestItems: Record<string, { Keys: unknown[] }>;
}

/** As many as DynamoDB reads of one batch here; it may leave any of them for later. */
const READ_AT_ONCE = 7;
await useWireEngine();
const tableName = `unprocessed-${randomUUID()}`;
let batches = 0;

await createTable({ endpoint: engineEndpoint(), tableName });
const { url: endpoint } = await serveLocally(pass);

/** A proxy between the service and the engine that reads only the first keys of a batch. */
async function pass(call: IncomingMessage, reply: ServerResponse): Promise<void> {
  const request = await json(call);
  const target = String(call.headers['x-amz-target']);
  const isBatch = target.endsWith('.BatchGetItem');
  const left = isBatch ? leaveSome(request as BatchGet) : {};
  const answer = await fetch(engineEndpoint(), {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': target,
      authorization: String(call.headers.authorization),
      'x-amz-date': String(call.headers['x-amz-date']),
    },
    body: JSON.stringify(request),
  });
  const body = (await answer.json()) as object;
  reply.statusCode = answer.status;
  reply.setHeader('content-type', 'application/x-amz-json-1.0');
  reply.end(JSON.stringify({ ...body, ...(isBatch && { UnprocessedKeys: left }) }));
}

/** Takes the keys that are not read out of the batch. */
function leaveSome({ RequestItems }: BatchGet): BatchGet['RequestItems'] {
  batches++;
  const batch = RequestItems[tableName];
  const left = batch?.Keys.splice(READ_AT_ONCE) ?? [];
  return left.length === 0 ? {} : { [tableName]: { ...batch, Keys: left } };
}

describe('A batch that DynamoDB reads only partly', () => {
  test('Completes, with each item once', async () => {
    const table = new DynamoTable({ endpoint, tableName, region: 'us-east-1' });
    batches = 0;
    const wanted = Array.from({ length: 30 }, (_, n) => userKeys.user(n + 1));
    for (const key of wanted) await table.write({ kind: 'put', item: { ...key } });
    const found = await table.findMany(wanted);
    expect(found.map(({ pk }) => pk).sort()).toEqual(wanted.map(({ pk }) => pk).sort());
    expect(batches).toBe(Math.ceil(wanted.length / READ_AT_ONCE));
  });
});
