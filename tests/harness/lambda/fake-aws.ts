import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { FileStore } from '#shared/runtime/services.ts';
import { LocalServer } from '#tests/harness/local-server.ts';
import { FakeBucket } from './fake-bucket.ts';
import { FakeConnections } from './fake-connections.ts';

export interface FakeRequest {
  method: string;
  url: URL;
  body: Buffer;
  /** The caller of a function does not wait for its end. */
  isLater?: boolean;
}

export interface FakeAnswer {
  status: number;
  body?: string | Uint8Array;
  headers?: Record<string, string>;
}

/** An entry that a function put on the bus, as EventBridge hands it to the function of a rule. */
export interface BusEvent {
  'detail-type': string;
  source: string;
  detail: unknown;
}

/** A schedule, as Scheduler was asked to create it. */
export interface FakeSchedule {
  GroupName: string;
  ScheduleExpression: string;
  Target: { Arn: string; RoleArn: string; Input: string };
}

export interface FakeAwsOptions {
  /** SecureStrings, by name. */
  parameters: Record<string, string>;
  /** The secrets of Secrets Manager, by name. */
  secrets?: Record<string, string>;
  /** The store for the files of the bucket. Without one there are none, and new ones are dropped. */
  files?: FileStore;
}

/** Invokes a function by its full name and returns its result. */
type Invoke = (functionName: string, event: unknown) => Promise<unknown>;

/**
 * Replaces AWS, except for DynamoDB: SSM, Secrets Manager, EventBridge, Scheduler, SES, S3 and the connections of API
 * Gateway at one address. It stores its input, and starts nothing by itself.
 */
export class FakeAws extends LocalServer {
  readonly events: BusEvent[] = [];
  readonly schedules = new Map<string, FakeSchedule>();
  /** The recipients of mails. */
  readonly mails: string[] = [];
  readonly connections = new FakeConnections();
  /** The functions of the deployment, which are started after this. */
  invoke: Invoke | undefined;
  /** Runs of which the caller does not wait for the end. */
  invokeLater: Invoke | undefined;
  readonly #parameters: Record<string, string>;
  readonly #secrets: Record<string, string>;
  readonly #bucket: FakeBucket;

  static run(options: FakeAwsOptions): Promise<FakeAws> {
    return new FakeAws(options).start();
  }

  private constructor({ parameters, secrets = {}, files }: FakeAwsOptions) {
    super();
    this.#parameters = parameters;
    this.#secrets = secrets;
    this.#bucket = new FakeBucket(files);
  }

  protected async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://aws');
    const isLater = request.headers['x-amz-invocation-type'] === 'Event';
    const sent = { method: request.method ?? '', url, body: await buffer(request), isLater };
    const { status, headers, body } = await this.#answer(serviceOf(request, url), sent);
    response.writeHead(status, headers).end(body);
  }

  #answer(service: string, request: FakeRequest): FakeAnswer | Promise<FakeAnswer> {
    if (service === 'ssm') return this.#getParameter(request);
    if (service === 'secretsmanager') return this.#getSecret(request);
    if (service === 'events') return this.#putEvents(request);
    if (service === 'scheduler') return this.#changeSchedule(request);
    if (service === 'ses') return this.#sendMail(request);
    if (service === 'lambda') return this.#invoke(request);
    if (service === 'execute-api') return this.connections.answer(request);
    return this.#bucket.answer(request);
  }

  #getParameter({ body }: FakeRequest): FakeAnswer {
    const value = this.#parameters[JSON.parse(body.toString()).Name];
    return value === undefined
      ? json({ __type: 'ParameterNotFound' }, 400)
      : json({ Parameter: { Value: value } });
  }

  #getSecret({ body }: FakeRequest): FakeAnswer {
    const secret = this.#secrets[JSON.parse(body.toString()).SecretId];
    return secret === undefined
      ? json({ __type: 'ResourceNotFoundException' }, 400)
      : json({ SecretString: secret });
  }

  async #invoke({ url, body, isLater }: FakeRequest): Promise<FakeAnswer> {
    const functionName = url.pathname.split('/')[3] ?? '';
    if (isLater) {
      void this.invokeLater?.(functionName, JSON.parse(body.toString()));
      return { status: 202 };
    }
    return json((await this.invoke?.(functionName, JSON.parse(body.toString()))) as object);
  }

  #putEvents({ body }: FakeRequest): FakeAnswer {
    const { Entries } = JSON.parse(body.toString());
    for (const { DetailType, Source, Detail } of Entries)
      this.events.push({ 'detail-type': DetailType, source: Source, detail: JSON.parse(Detail) });
    return json({
      FailedEntryCount: 0,
      Entries: Entries.map((_: unknown, index: number) => ({ EventId: String(index) })),
    });
  }

  #changeSchedule({ method, url, body }: FakeRequest): FakeAnswer {
    const name = url.pathname.split('/').at(-1) ?? '';
    const exists = this.schedules.has(name);
    if (method === 'POST' && exists) return failed('ConflictException', 409);
    if (method !== 'POST' && !exists) return failed('ResourceNotFoundException', 404);
    if (method === 'DELETE') this.schedules.delete(name);
    else this.schedules.set(name, JSON.parse(body.toString()));
    return json(method === 'DELETE' ? {} : { ScheduleArn: `arn:aws:scheduler:::schedule/${name}` });
  }

  #sendMail({ body }: FakeRequest): FakeAnswer {
    this.mails.push(...JSON.parse(body.toString()).Destination.ToAddresses);
    return json({ MessageId: String(this.mails.length) });
  }
}

/** A request is signed for a service in a region; a signed address says so in its query. */
function serviceOf({ headers }: IncomingMessage, { searchParams }: URL): string {
  const [, credential = ''] = /Credential=([^,]+)/.exec(headers.authorization ?? '') ?? [];
  return (credential || (searchParams.get('X-Amz-Credential') ?? '')).split('/')[3] ?? '';
}

const json = (fields: object, status = 200): FakeAnswer => ({
  status,
  body: JSON.stringify(fields),
  headers: { 'content-type': 'application/x-amz-json-1.1' },
});

const failed = (type: string, status: number): FakeAnswer => ({
  ...json({ Message: type }, status),
  headers: { 'content-type': 'application/json', 'x-amzn-errortype': type },
});
