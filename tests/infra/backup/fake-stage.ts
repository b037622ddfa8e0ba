import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Pace } from '#infra/backup/pace.ts';
import { deployedSource, findDeployed } from '#infra/backup/places/deployed.ts';
import { CREDENTIALS } from '#tests/harness/environment.ts';
import { LocalServer } from '#tests/harness/local-server.ts';
import { FakeVersions } from './fake-versions.ts';

export const ARN = 'arn:aws:dynamodb:eu-west-1:123456789012:table/team-chat-prod';
export const EXPORT_ARN = `${ARN}/export/1`;
export const BEFORE = '2026-05-04T09:00:00.000Z';
export const AT = new Date('2026-05-04T10:00:00.000Z');
export const AFTER = '2026-05-04T11:00:00.000Z';

/** Replaces AWS for a stage, and stores the requests, the next answers, and one bucket of any name. */
export class FakeStage extends LocalServer {
  readonly asked: { operation: string; body: Record<string, unknown> }[] = [];
  exportStates: Record<string, unknown>[] = [
    { ExportStatus: 'COMPLETED', ItemCount: 2, ExportTime: AT.getTime() / 1000 },
  ];
  exportBegun: Record<string, unknown> = { ExportDescription: { ExportArn: EXPORT_ARN } };
  itemCount: number | undefined = 5;
  readonly objects = new FakeVersions();
  /** The answer of SSM instead. */
  refusal: { status: number; body: string } | undefined;
  readonly #parameters = new Map<string, string>();

  constructor() {
    super({ keepAliveTimeout: 0 });
  }

  protected async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://aws');
    const target = String(request.headers['x-amz-target'] ?? '').split('.')[1];
    const body = await buffer(request);
    if (!target) {
      const { method = '', headers } = request;
      const reply = this.objects.answer({ method, url, body, headers });
      response.writeHead(reply.status, reply.headers).end(reply.body);
      return;
    }
    const reply = this.#call(target, JSON.parse(body.toString()));
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/x-amz-json-1.0' }).end(reply.body);
  }

  /** The environment of a process that uses this AWS. */
  get environment(): Record<string, string> {
    return {
      AWS_REGION: 'eu-central-1',
      ...CREDENTIALS,
      AWS_ENDPOINT_URL: this.url,
    };
  }

  operations(): string[] {
    return this.asked.map(({ operation }) => operation);
  }

  #call(operation: string, body: Record<string, unknown>): { status?: number; body: string } {
    this.asked.push({ operation, body });
    const json = (reply: object, status = 200) => ({ status, body: JSON.stringify(reply) });
    const name = String(body.Name);
    const states = this.exportStates;
    if (operation === 'DescribeTable') return json({ Table: { TableArn: ARN, ItemCount: this.itemCount } });
    if (operation === 'ExportTableToPointInTime') return json(this.exportBegun);
    if (operation === 'DescribeExport')
      return json({ ExportDescription: states.length > 1 ? states.shift() : states[0] });
    if (this.refusal) return this.refusal;
    if (operation === 'PutParameter') this.#parameters.set(name, String(body.Value));
    if (operation === 'PutParameter') return json({ Version: 1 });
    const Value = this.#parameters.get(name);
    return Value === undefined ? json({ __type: 'ParameterNotFound' }, 400) : json({ Parameter: { Value } });
  }
}

export const findStage = (bucket?: string, table?: string) =>
  findDeployed('prod', { table, bucket }, new Pace());

/** Waits for nothing. */
export const noPause = async (): Promise<void> => undefined;

/** A stage that is copied, and the stored progress of the copy. */
export async function openStage(saved?: Record<string, unknown>, at?: Date) {
  const places: object[] = [];
  const source = await deployedSource(await findStage(), at, noPause).open(
    'run-1',
    saved,
    async (place) => void places.push(place),
  );
  return { source, places };
}

export async function collect<Thing>(all: AsyncIterable<Thing> | Iterable<Thing>): Promise<Thing[]> {
  const found: Thing[] = [];
  for await (const thing of all) found.push(thing);
  return found;
}
