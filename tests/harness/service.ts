import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type Service, type ServiceOptions, startService } from '#infra/local/start.ts';
import { issueApiKey } from '#shared/api/auth/issue-api-key.ts';
import { type Role, roles } from '#shared/domain/users/user.ts';
import type { Config } from '#shared/runtime/config.ts';
import { readPollSlots } from '#shared/store/limits/poll-slots.ts';
import { findAccount, getUser } from '#shared/store/users/users.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import { Client, type EventQueue, type Params, type Reply } from './client.ts';
import { atFileEnd } from './file-end.ts';
import { holdToPolicies, inFunction } from './privilege/least-privilege.ts';
import { QUICK_PASSWORDS } from './quick-passwords.ts';
import { CallsUnderWay } from './table/calls-under-way.ts';
import { givenEndpoint } from './table/test-table.ts';
import { answerInAnyOrder } from './table/unordered.ts';

/** No test gets there that does not mean to. */
export const noRequestLimits: Config['requestLimits'] = {
  user: { requests: 1_000_000, windowSeconds: 60 },
  address: { requests: 1_000_000, windowSeconds: 60 },
  light: { requests: 1_000_000, windowSeconds: 60 },
  agent: { requests: 1_000_000, windowSeconds: 60 },
};

/** Polls of tests look often, and requests come fast; everything else is as in production. */
const testConfig: Partial<Config> = {
  // Longer than a busy machine needs to end a poll.
  pollHoldMs: 30_000,
  lookSchedule: [{ fromAgeMs: 0, everyMs: 20 }],
  requestLimits: noRequestLimits,
  passwordCost: QUICK_PASSWORDS,
  pushMemoryMs: 0,
  // One process knows of it at once, and a test that counts units must not meet it.
  closureMemoryMs: 365 * 24 * 3600 * 1000,
  relayTimeoutMs: 2_000,
  webhookPauseMs: 1,
  // Nothing listens there; a test that follows the address of a call has a server of its own.
  bigBlueButton: { url: 'http://127.0.0.1:9/bigbluebutton/', secret: 'shared secret' },
};

/** Capacity units that the service consumed since the last reset. */
export class Meter {
  read = 0;
  write = 0;

  reset(): void {
    this.read = 0;
    this.write = 0;
  }
}

export const PASSWORD = 'correct horse battery';

/**
 * A service of its own table, with the things that tests need besides HTTP: roles, time and capacity units. It stops with the
 * tests of the file at the latest.
 */
export class TestService {
  readonly service: Service;
  readonly meter: Meter;
  readonly owner: Client;
  /**
   * The state of the snapshot consistency check, by observer; cleared by a test that makes changes without events.
   */
  readonly observers = new Map<string, EventQueue>();
  readonly #calls: CallsUnderWay;
  #createdUsers = 0;
  #shiftMs = 0;
  #stopped: Promise<void> | undefined;

  constructor(service: Service, meter: Meter) {
    this.service = service;
    this.meter = meter;
    this.#calls = new CallsUnderWay(service.services);
    atFileEnd(() => this.stop());
    this.owner = new Client(service.url, service.owner, () => this.settle());
    const { clock } = service.services;
    const nowMs = clock.nowMs.bind(clock);
    clock.nowMs = () => nowMs() + this.#shiftMs;
  }

  get url(): string {
    return this.service.url;
  }

  get services(): Service['services'] {
    return this.service.services;
  }

  /** A new account that has been welcomed; its address is made from its name. */
  async createUser(fullName: string, role: Role = roles.member): Promise<Client> {
    const email = `${fullName.toLowerCase().replaceAll(/[^a-z]/g, '')}${++this.#createdUsers}@example.com`;
    const { user_id } = await this.#act('POST', '/users', { email, password: PASSWORD, full_name: fullName });
    if (role !== roles.member) await this.#act('PATCH', `/users/${user_id}`, { role });
    await this.settle();
    return this.clientOf(email);
  }

  /** The client of an account that exists. */
  async clientOf(email: string): Promise<Client> {
    const account = await findAccount(this.services.table, email);
    if (!account) throw new Error(`There is no account ${email}`);
    const apiKey = await issueApiKey(this.services, account);
    return new Client(this.url, { userId: account.userId, email, apiKey }, () => this.settle());
  }

  /** Gives a client the key that its account has now. */
  async renewKey(client: Client): Promise<void> {
    client.apiKey = (await this.clientOf(client.email)).apiKey;
  }

  /** The owner gives a user another role. */
  async setRole(email: string, role: Role): Promise<void> {
    const { userId } = await this.clientOf(email);
    await this.#act('PATCH', `/users/${userId}`, { role });
  }

  /** The owner deactivates a user with their bots; afterwards they are out of their channels. */
  async deactivate({ userId }: Client): Promise<void> {
    const { isBot } = await getUser(this.services.table, userId);
    await this.#act('DELETE', isBot ? `/bots/${userId}` : `/users/${userId}`, {});
    await this.settle();
  }

  /** An action of the owner, and the answer. */
  async #act(method: string, path: string, params: Params): Promise<Reply['body']> {
    const { status, body } = await this.owner.request(method, path, params, {});
    if (status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`);
    return body;
  }

  /** Makes an account a bot of its owner, which no operation does: bots are made as bots. */
  async makeBot(client: Client, owner: Client): Promise<void> {
    await this.#setAccount(client.email, { isBot: true, botOwnerId: owner.userId });
    this.observers.clear();
  }

  async #setAccount(email: string, set: Record<string, unknown>): Promise<void> {
    const { table } = this.services;
    const account = await findAccount(table, email);
    if (!account) throw new Error(`There is no account ${email}`);
    await table.write({ kind: 'update', key: userKeys.account(email), set });
    await table.write({ kind: 'update', key: userKeys.user(account.userId), set });
  }

  /** The service's clock goes ahead. */
  advance(ms: number): void {
    this.#shiftMs += ms;
  }

  /** Waits until the workers behind the bus have done their jobs. */
  async settle(): Promise<void> {
    await this.services.bus.drain();
  }

  /** Whether a poll of a queue waits. */
  async isHeld({ client: { userId }, queueId }: EventQueue): Promise<boolean> {
    const slots = await readPollSlots(this.services.table, { kind: 'person', userId });
    const nowMs = this.services.clock.nowMs();
    return [...slots.values()].some((slot) => slot.queueId === queueId && slot.untilMs > nowMs);
  }

  async untilHeld(queue: EventQueue): Promise<void> {
    await expect.poll(() => this.isHeld(queue)).toBe(true);
  }

  /** Waits until nothing calls the table any more, not even work that no answer and no worker awaits. */
  async rest(): Promise<void> {
    await this.settle();
    await this.#calls.rest();
  }

  /** Stopping twice is no failure. */
  stop(): Promise<void> {
    this.#stopped ??= this.service.stop();
    return this.#stopped;
  }
}

/** Starts a service with an organization of its own. */
export async function startTestService(
  config: Partial<Config> = {},
  options: Partial<ServiceOptions> = {},
): Promise<TestService> {
  const meter = new Meter();
  const service = await startService({
    port: 0,
    dynamodbEndpoint: givenEndpoint,
    tableName: `test-${randomUUID()}`,
    secret: randomUUID(),
    ownerPassword: PASSWORD,
    // A test that counts units or compares tables must not meet it.
    sweepIntervalMs: null,
    around: inFunction,
    ...options,
    config: { ...testConfig, ...config },
    meter: ({ read, write }) => {
      meter.read += read;
      meter.write += write;
    },
  });
  holdToPolicies(service.services);
  answerInAnyOrder(service.services);
  return new TestService(service, meter);
}
