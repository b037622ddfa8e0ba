import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { DynamoItems, openDynamo } from '#infra/backup/dynamo-items.ts';
import { Pace } from '#infra/backup/pace.ts';
import { toLine } from '#infra/backup/raw-items.ts';
import { LOCAL_REGION } from '#infra/local/create-table.ts';
import { CREDENTIALS } from '#tests/harness/environment.ts';
import { LocalServer } from '#tests/harness/local-server.ts';
import { engineEndpoint } from '#tests/harness/wire-engine/wire-engine.ts';
import { FakeVersions } from './fake-versions.ts';

const ACCOUNT = '123456789012';

/** The request of an export to DynamoDB. */
interface AskedExport {
  TableArn: string;
  S3Bucket: string;
  S3Prefix: string;
  ExportTime?: number;
}

/**
 * Replaces AWS for a stage: buckets, exports of tables, parameters, the environments of functions and schedules.
 * Tables are in the DynamoDB of the test run.
 */
export class FakeRegion extends LocalServer {
  readonly buckets = new Map<string, FakeVersions>();
  readonly exports: AskedExport[] = [];
  readonly parameters = new Map<string, string>();
  /** Environments of functions, by name. */
  readonly environments = new Map<string, Record<string, string>>();
  readonly schedules: string[] = [];

  protected async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers } = request;
    const url = new URL(request.url ?? '', 'http://aws');
    const body = await buffer(request);
    const [, operation] = String(headers['x-amz-target'] ?? '').split('.');
    if (operation) {
      const kept = ['authorization', 'content-type', 'x-amz-date', 'x-amz-target'] as const;
      const signed = Object.fromEntries(kept.map((name) => [name, String(headers[name])]));
      const { status, reply } = await this.#call(operation, body.toString(), signed);
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(reply);
      return;
    }
    const { status, headers: sent, body: reply } = this.#answer({ method, url, body, headers });
    response.writeHead(status, sent).end(reply);
  }

  /** The environment of a process that uses this AWS. */
  get environment(): Record<string, string> {
    return {
      AWS_REGION: LOCAL_REGION,
      ...CREDENTIALS,
      AWS_ENDPOINT_URL: this.url,
    };
  }

  /** A new bucket; the one of a table, unless it has another name. */
  addBucket(tableName: string, name = `${tableName}-${ACCOUNT}-${LOCAL_REGION}`): FakeVersions {
    const bucket = new FakeVersions();
    this.buckets.set(name, bucket);
    return bucket;
  }

  async #call(
    operation: string,
    sent: string,
    signed: Record<string, string>,
  ): Promise<{ status: number; reply: string }> {
    const asked = JSON.parse(sent);
    const json = (reply: object, status = 200) => ({ status, reply: JSON.stringify(reply) });
    if (operation === 'DescribeTable')
      return json({
        Table: { TableArn: `arn:aws:dynamodb:${LOCAL_REGION}:${ACCOUNT}:table/${asked.TableName}` },
      });
    if (operation === 'ExportTableToPointInTime')
      return json({ ExportDescription: { ExportArn: `${this.exports.push(asked)}` } });
    if (operation === 'DescribeExport')
      return json({ ExportDescription: await this.#export(this.exports[asked.ExportArn - 1]) });
    if (operation === 'GetParameter') {
      const Value = this.parameters.get(asked.Name);
      return Value === undefined
        ? json({ __type: 'ParameterNotFound' }, 400)
        : json({ Parameter: { Value } });
    }
    if (operation === 'PutParameter') {
      this.parameters.set(asked.Name, asked.Value);
      return json({ Version: 1 });
    }
    const reply = await fetch(engineEndpoint(), { method: 'POST', headers: signed, body: sent });
    return { status: reply.status, reply: await reply.text() };
  }

  async #export(asked: AskedExport | undefined): Promise<object> {
    if (!asked) return { ExportStatus: 'FAILED' };
    const lines: string[] = [];
    const table = new DynamoItems(
      openDynamo(engineEndpoint()),
      asked.TableArn.split('/')[1] ?? '',
      new Pace(),
    );
    for await (const { items } of table.scan()) lines.push(...items.map(toLine));
    const key = `${asked.S3Prefix}/AWSDynamoDB/1/data/a.json.gz`;
    this.buckets.get(asked.S3Bucket)?.add(key, gzipSync(lines.join('')));
    return {
      ExportStatus: 'COMPLETED',
      ItemCount: lines.length,
      ExportTime: asked.ExportTime ?? Math.ceil(Date.now() / 1000),
    };
  }

  #answer(call: Parameters<FakeVersions['answer']>[0]): ReturnType<FakeVersions['answer']> {
    const [, first = '', name = '', functionName = ''] = call.url.pathname.split('/');
    if (first === 'schedules') {
      this.schedules.push(`${JSON.parse(call.body.toString()).GroupName} ${name}`);
      return { status: 200, body: '{"ScheduleArn":"arn"}' };
    }
    if (first === '2015-03-31') {
      const Variables = this.environments.get(functionName);
      return Variables
        ? { status: 200, body: JSON.stringify({ Environment: { Variables } }) }
        : { status: 404, body: '{}', headers: { 'x-amzn-errortype': 'ResourceNotFoundException' } };
    }
    return (
      this.buckets.get(first)?.answer(call) ?? {
        status: 404,
        body: '<Error><Code>NoSuchBucket</Code></Error>',
      }
    );
  }
}
