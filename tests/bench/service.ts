import { randomUUID } from 'node:crypto';
import { startService } from '#infra/local/start.ts';
import { issueApiKey } from '#shared/api/auth/issue-api-key.ts';
import type { Account } from '#shared/domain/users/user.ts';
import type { Config } from '#shared/runtime/config.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findAccount } from '#shared/store/users/users.ts';
import type { CapacityMeter } from '#shared/table/table.ts';
import { QUICK_PASSWORDS } from '#tests/harness/quick-passwords.ts';
import { startEngine } from '#tests/harness/wire-engine/engine.ts';

export interface Usage {
  read: number;
  write: number;
  /** Calls to the table; not every budget counts them. */
  calls?: number;
}

// biome-ignore lint/suspicious/noExplicitAny: a client sees JSON of any shape
type Json = any;

/** One user of the bench, speaking HTTP. */
export interface BenchClient {
  userId: number;
  /** The header by which the calls of this user say so. */
  authorization: string;
  call(method: string, path: string, params?: Record<string, unknown>): Promise<Json>;
  /** Whatever the answer is; status 0 if the connection broke. */
  request(method: string, path: string, params?: Record<string, unknown>): Promise<Answer>;
}

export interface Answer {
  status: number;
  /** For an answer with Retry-After. */
  retryAfterSeconds: number;
  body: Json;
}

export interface BenchService {
  services: Services;
  url: string;
  /** The address of a shared table. */
  tableEndpoint: string;
  tableName: string;
  owner: BenchClient;
  createUser(name: string): Promise<BenchClient>;
  /** The client of an account that is in the table. */
  clientOf(account: Account): Promise<BenchClient>;
  /** Receives the units of every call from now on. */
  watch(meter: CapacityMeter): void;
  /** Receives the bytes of every answer from now on. */
  watchAnswers(note: (bytes: number) => void): void;
  /** The units of an action, without the workers behind the bus. */
  measure(act: () => Promise<unknown>): Promise<Usage>;
  settle(): Promise<void>;
  stop(): Promise<void>;
}

const TABLE_NAME = 'bench';

interface BenchOptions {
  requestsPerMinute?: number;
  config?: Partial<Config>;
  webFolder?: string;
  /** Keeps the table in an emulator of DynamoDB, where other processes reach it. */
  isShared?: boolean;
  /** Clients receive changes of this process at once, as on one machine; otherwise each looks into the table, as on AWS. */
  pushesOwn?: boolean;
}

/** A service of its own, in memory, whose capacity units are counted. */
export async function startBenchService({
  isShared = false,
  pushesOwn = false,
  ...options
}: BenchOptions = {}): Promise<BenchService> {
  const engine = isShared ? await startEngine() : undefined;
  const used = { read: 0, write: 0, calls: 0 };
  let watcher: CapacityMeter | undefined;
  const service = await startService({
    port: 0,
    dynamodbEndpoint: engine?.endpoint,
    tableName: TABLE_NAME,
    secret: randomUUID(),
    requestsPerMinute: 1_000_000,
    sweepIntervalMs: null,
    ...options,
    config: { passwordCost: QUICK_PASSWORDS, closureMemoryMs: 3_600_000, ...options.config },
    meter: ({ read, write }) => {
      watcher?.({ read, write });
      used.read += read;
      used.write += write;
      used.calls++;
    },
  });
  const { services, url } = service;
  // As in a function of its own, which does not know the writes of others.
  if (!pushesOwn) delete services.appends;
  const settle = (): Promise<void> => services.bus.drain();
  let answered: ((bytes: number) => void) | undefined;
  const connect: Connect = (account) => toClient(url, account, (bytes) => answered?.(bytes));
  const owner = connect(service.owner);
  return {
    services,
    url,
    tableEndpoint: engine?.endpoint ?? '',
    tableName: TABLE_NAME,
    owner,
    settle,
    createUser: (name) => createUser(services, connect, owner, name),
    clientOf: (account) => clientOf(services, connect, account),
    watch(meter) {
      watcher = meter;
    },
    watchAnswers(note) {
      answered = note;
    },
    async measure(act) {
      await settle();
      Object.assign(used, { read: 0, write: 0, calls: 0 });
      await act();
      return { ...used };
    },
    async stop() {
      await service.stop();
      await engine?.stop();
    },
  };
}

interface Login {
  userId: number;
  email: string;
  apiKey: string;
}
type Connect = (account: Login) => BenchClient;

function toClient(url: string, account: Login, noteAnswer: (bytes: number) => void): BenchClient {
  const authorization = `Basic ${Buffer.from(`${account.email}:${account.apiKey}`).toString('base64')}`;
  const send = async (method: string, path: string, params: Record<string, unknown>): Promise<Answer> => {
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(params))
      form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
    const isGet = method === 'GET';
    const reply = await fetch(`${url}/api/v1${path}${isGet ? `?${form}` : ''}`, {
      method,
      headers: { authorization },
      ...(!isGet && { body: form }),
    });
    const retryAfterSeconds = Number(reply.headers.get('retry-after') ?? 1);
    noteAnswer(sizeOf(reply));
    return { status: reply.status, retryAfterSeconds, body: await reply.json() };
  };
  return {
    userId: account.userId,
    authorization,
    async call(method, path, params = {}) {
      const { status, body } = await send(method, path, params);
      if (status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`);
      return body;
    },
    request: (method, path, params = {}) =>
      send(method, path, params).catch((failure) => ({ status: 0, retryAfterSeconds: 0, body: failure })),
  };
}

async function createUser(
  services: Services,
  connect: Connect,
  owner: BenchClient,
  name: string,
): Promise<BenchClient> {
  const email = `${name.toLowerCase()}@example.com`;
  await owner.call('POST', '/users', { email, password: randomUUID(), full_name: name });
  const account = await findAccount(services.table, email);
  if (!account) throw new Error(`There is no account ${email}`);
  return clientOf(services, connect, account);
}

async function clientOf(services: Services, connect: Connect, account: Account): Promise<BenchClient> {
  const apiKey = await issueApiKey(services, account);
  return connect({ ...account, apiKey });
}

/**
 * The bytes of an answer on its way from AWS: its headers, without the local service's own, and its body in its
 * encoding.
 */
const sizeOf = ({ headers }: Response): number =>
  [...headers]
    .filter(([name]) => !name.startsWith('x-consumed-'))
    .reduce((bytes, [name, value]) => bytes + name.length + value.length + 4, 0) +
  Number(headers.get('content-length') ?? 0);
