import { randomUUID } from 'node:crypto';
import { startEngine } from '#infra/local/engine.ts';
import { startService } from '#infra/local/start.ts';
import { deriveApiKey } from '#shared/api/api-key.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import { subscribeAt } from '#shared/domain/subscriptions/subscription.ts';
import { memberWrites, subscriptionWrite } from '#shared/domain/subscriptions/writes.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findAccount } from '#shared/store/users.ts';
import { keys } from '#shared/table/keys.ts';

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
  call(method: string, path: string, params?: Record<string, unknown>): Promise<Json>;
}

export interface BenchService {
  services: Services;
  owner: BenchClient;
  createUser(name: string): Promise<BenchClient>;
  /** Puts rows of further subscribers into the table, as subscribing would. */
  addSubscribers(channelId: number, count: number): Promise<void>;
  /** What an action consumes, the workers behind the bus left out. */
  measure(act: () => Promise<unknown>): Promise<Usage>;
  settle(): Promise<void>;
  stop(): Promise<void>;
}

const FIRST_INVENTED_USER = 100_000;

/** A service of its own, in memory, whose capacity units are counted. */
export async function startBenchService(): Promise<BenchService> {
  const engine = await startEngine({});
  const used = { read: 0, write: 0, calls: 0 };
  const service = await startService({
    port: 0,
    dynamodbEndpoint: engine.endpoint,
    tableName: 'bench',
    secret: randomUUID(),
    requestsPerMinute: 1_000_000,
    sweepIntervalMs: 3_600_000,
    meter: ({ read, write }) => {
      used.read += read;
      used.write += write;
      used.calls++;
    },
  });
  const { services, url } = service;
  const settle = (): Promise<void> => services.bus.drain();
  const owner = toClient(url, service.owner);
  return {
    services,
    owner,
    settle,
    createUser: (name) => createUser(services, url, owner, name),
    addSubscribers: (channelId, count) => addSubscribers(services, channelId, count),
    async measure(act) {
      await settle();
      Object.assign(used, { read: 0, write: 0, calls: 0 });
      await act();
      return { ...used };
    },
    async stop() {
      await service.stop();
      await engine.stop();
    },
  };
}

function toClient(url: string, account: { userId: number; email: string; apiKey: string }): BenchClient {
  const authorization = `Basic ${Buffer.from(`${account.email}:${account.apiKey}`).toString('base64')}`;
  return {
    userId: account.userId,
    async call(method, path, params = {}) {
      const form = new URLSearchParams();
      for (const [name, value] of Object.entries(params))
        form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
      const isGet = method === 'GET';
      const reply = await fetch(`${url}/api/v1${path}${isGet ? `?${form}` : ''}`, {
        method,
        headers: { authorization },
        ...(!isGet && { body: form }),
      });
      const body = (await reply.json()) as Json;
      if (reply.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`);
      return body;
    },
  };
}

async function createUser(
  services: Services,
  url: string,
  owner: BenchClient,
  name: string,
): Promise<BenchClient> {
  const email = `${name.toLowerCase()}@example.com`;
  await owner.call('POST', '/users', { email, password: randomUUID(), full_name: name });
  const account = await findAccount(services.table, email);
  if (!account) throw new Error(`There is no account ${email}`);
  const apiKey = deriveApiKey(await services.secret(), account.userId, account.keyVersion);
  return toClient(url, { userId: account.userId, email, apiKey });
}

async function addSubscribers({ table }: Services, channelId: number, count: number): Promise<void> {
  const channel = (await table.find(keys.channel(channelId))) as unknown as Channel;
  const userIds = Array.from({ length: count }, (_, n) => FIRST_INVENTED_USER + channel.subscriberCount + n);
  await mapConcurrently(userIds, async (userId) => {
    const write = subscriptionWrite(subscribeAt(undefined, { userId, channelId }, '#76ce90', 1), undefined);
    if (write.kind !== 'check') await table.write(write);
  });
  for (const write of memberWrites(channelId, userIds, 'add'))
    if (write.kind !== 'check') await table.write(write);
  await table.write({ kind: 'update', key: keys.channel(channelId), add: { subscriberCount: count } });
}
