import { EventEmitter } from 'node:events';
import { bootstrapOrganization } from '#functions/bootstrap.ts';
import { vipsImages } from '#shared/adapters/images.ts';
import { issueApiKey } from '#shared/api/auth/issue-api-key.ts';
import type { Context } from '#shared/api/endpoint.ts';
import type { Parameters, ValuesOf } from '#shared/api/parameters.ts';
import { accountWrites, createAccount } from '#shared/domain/users/create.ts';
import { type Account, type Role, roles } from '#shared/domain/users/user.ts';
import { commitSilently, withFreshState } from '#shared/log/commit.ts';
import { type Config, defaultConfig } from '#shared/runtime/config.ts';
import type { Ids } from '#shared/runtime/ids.ts';
import type { RelayRequest } from '#shared/runtime/relay.ts';
import type { JobNotice, PartWork, ScheduledDelivery, Services } from '#shared/runtime/services.ts';
import { getAccount } from '#shared/store/users/users.ts';
import { logKeys } from '#shared/table/keys/log.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Item, Table } from '#shared/table/table.ts';
import type { Outcome, Process } from './process.ts';
import type { Random } from './random.ts';
import { Pushers } from './services/pushers.ts';
import { seededIds } from './services/seeded-ids.ts';
import { SimulatedFiles } from './services/simulated-files.ts';
import { simulatedRelay } from './services/simulated-relay.ts';
import { SimulatedSockets } from './services/simulated-sockets.ts';
import type { Simulation } from './simulation.ts';
import type { RecordedTable } from './tables/recorded-table.ts';
import { RememberedTable } from './tables/remembered-table.ts';
import { SimulatedTable } from './tables/simulated-table.ts';

/** Readers of some runs are patient with late writers, readers of others are not. */
const SEAL_GRACE_MS = [150, 900];
const SOCKETS_OF_PUSHER = [1, 2, 3, 500];
const SHARE_WITH_PUSHERS_ELSEWHERE = 0.6;

/** Like production, but everything happens sooner. */
const hurriedConfig: Config = {
  ...defaultConfig,
  pollHoldMs: 600,
  lookSchedule: [
    { fromAgeMs: 0, everyMs: 60 },
    { fromAgeMs: 200, everyMs: 150 },
  ],
  heartbeatIntervalMs: 1_500,
  queueTouchIntervalMs: 400,
  jobRetryMs: 1_500,
};

const BLOCK = 1_000;
/** How many of the written entries reach the process of all polls. */
const SHARE_TOLD = 0.7;
const OWNER_EMAIL = 'owner@example.com';
const NAMES = ['Ada', 'Bo', 'Cy', 'Gil'];
/** One in this many people is a guest. */
const PEOPLE_PER_GUEST = 4;

/** Wraps the table of each process with a defect, to see whether it is found. */
export type Defect = (table: Table) => Table;

/** The contents of a schedule until it fires. */
export interface Timer extends ScheduledDelivery {
  atSeconds: number;
}

export interface WorldOptions {
  simulation: Simulation;
  table: RecordedTable;
  /** With the owner. */
  people?: number | undefined;
  defect?: Defect | undefined;
  /** There is a relay, so that phones can be notified. */
  withPhones?: boolean | undefined;
  /** Register has room for nearly nothing, and the queue sends the rest. */
  withShortSnapshots?: boolean | undefined;
  /** All polls run in one process, which reads the log once for all of them. */
  withOnePoller?: boolean | undefined;
  /** There are sockets, which some clients open. */
  withSockets?: boolean | undefined;
  withSteadyPushers?: boolean | undefined;
  /** Polls and sends go through the whole chain of a function. */
  withEdge?: boolean | undefined;
}

/** One organization under simulation: its real table, its people, and the messages between its functions. */
export class World {
  readonly simulation: Simulation;
  /** For people's decisions. */
  readonly random: Random;
  /** The table as it is, without faults. */
  readonly table: RecordedTable;
  readonly people: Account[] = [];
  /** The people among them who existed when the log began. */
  founders: Account[] = [];
  /** Notices on the bus that no worker has got yet. */
  readonly notices: JobNotice[] = [];
  readonly timers = new Map<number, Timer>();
  /** Hints on the bus for the worker that notifies devices: positions of the log. */
  readonly wakings: number[] = [];
  /** Pushers that were started for one part of the connections, and have not begun yet. */
  readonly partWorks: PartWork[] = [];
  /** Positions of new entries that have not reached the pusher yet. */
  readonly pushings: number[] = [];
  /** Absent in runs without them. */
  readonly sockets: SimulatedSockets | undefined;
  readonly pushers: Pushers;
  /** The notifications for devices that the relay received. */
  readonly handedOver: RelayRequest[] = [];
  readonly hasShortSnapshots: boolean;
  readonly #config: Config;
  readonly #size: number;
  /** Some operations are called as API Gateway calls them. */
  readonly withEdge: boolean;
  readonly #withPhones: boolean;
  readonly #withOnePoller: boolean;
  readonly #havePushersElsewhere: boolean;
  #poller: { process: Process; services: Services } | undefined;
  readonly #defect: Defect;
  readonly #expiry: Random;
  readonly files: SimulatedFiles;
  readonly ids: Ids;

  constructor(options: WorldOptions) {
    const { simulation, table, people = NAMES.length + 1, defect = (one) => one } = options;
    this.simulation = simulation;
    this.random = simulation.random.fork('people');
    this.table = table;
    this.files = new SimulatedFiles(simulation);
    this.#size = people;
    this.withEdge = options.withEdge ?? false;
    this.#withPhones = options.withPhones ?? false;
    this.#withOnePoller = options.withOnePoller ?? false;
    this.sockets = options.withSockets ? new SimulatedSockets(simulation) : undefined;
    if (this.sockets) table.onEntry = (position) => this.pushings.push(position);
    this.#havePushersElsewhere = simulation.random.fork('pushers').chance(SHARE_WITH_PUSHERS_ELSEWHERE);
    this.pushers = new Pushers(this, options.withSteadyPushers);
    this.hasShortSnapshots = options.withShortSnapshots ?? false;
    this.#config = {
      ...hurriedConfig,
      sealGraceMs: this.random.pick(SEAL_GRACE_MS),
      socketsOfPusher: simulation.random.fork('parts').pick(SOCKETS_OF_PUSHER),
      ...(this.hasShortSnapshots && { snapshotBytes: { plain: 1, compressed: 1 } }),
    };
    this.#defect = defect;
    this.#expiry = simulation.random.fork('expiry');
    this.ids = seededIds(simulation.random.fork('ids'));
  }

  /** Founds the organization on an empty table; the log begins not far from the end of a block. */
  async found(): Promise<void> {
    const services = this.services();
    const start = this.random.between(0, 3) * BLOCK + this.random.pick([0, BLOCK - 40, BLOCK - 90]);
    const set = { position: start, tendedPosition: start, indexedPosition: start };
    await this.table.write({ kind: 'update', key: logKeys.lowWaterMark(), set });
    await this.table.increment(organizationKeys.counter('log'), 'position', start);
    const organization = { organizationName: 'Simulated', url: 'http://localhost', ownerEmail: OWNER_EMAIL };
    const { owner } = await bootstrapOrganization(services, organization);
    this.people.push(owner);
    for (let n = 1; n < this.#size; n++) {
      const role = n % PEOPLE_PER_GUEST === 0 ? roles.guest : roles.member;
      this.people.push(await this.#createPerson(NAMES[n - 1] ?? `Person${n}`, role));
    }
    if (this.withEdge) for (const person of this.people) await issueApiKey(services, person);
    this.founders = [...this.people];
  }

  async #createPerson(fullName: string, role: Role): Promise<Account> {
    const userId = await this.table.increment(organizationKeys.counter('user'), 'id');
    const nowSeconds = this.simulation.nowMs / 1000;
    const email = `${fullName.toLowerCase()}@example.com`;
    const account = { ...createAccount({ userId, email, fullName, nowSeconds }), role };
    await commitSilently(this.services(), accountWrites(account));
    return account;
  }

  /** Runs an endpoint in a process of its own, as its Lambda would, or a poll in the process of all polls. */
  request<P extends Parameters, Result>(
    caller: Account,
    { route, handle }: Operation<P, Result>,
    params: ValuesOf<P>,
  ): Promise<Outcome<Result>> {
    return this.act(caller, route, (services) =>
      withFreshState(services, () => handle(params, contextOf(services, caller))),
    );
  }

  /** The same for other actions on the services. */
  act<Result>(
    caller: Account,
    route: string,
    act: (services: Services) => Promise<Result>,
  ): Promise<Outcome<Result>> {
    if (!this.#withOnePoller || route !== 'GET /events')
      return this.invoke(`${caller.fullName} ${route}`, act);
    const { process, services } = this.#openPoller();
    return this.simulation.runIn(process, () => act(services));
  }

  /** The process of all polls; a new one when it has crashed. */
  #openPoller(): { process: Process; services: Services } {
    if (this.#poller && !this.#poller.process.hasCrashed) return this.#poller;
    const process = this.simulation.open('poller');
    this.#poller = { process, services: { ...this.services(process), appends: new EventEmitter() } };
    return this.#poller;
  }

  /** The poller gets most entries from their writers, as if they ran in its process; it reads the others. */
  #toPoller(): EventEmitter<{ entry: [position: number, item: Item] }> {
    const appends = new EventEmitter<{ entry: [position: number, item: Item] }>();
    return appends.on('entry', (...written) => {
      if (this.random.chance(SHARE_TOLD)) this.#poller?.services.appends?.emit('entry', ...written);
    });
  }

  /** All clients of the account have the key that is good now. */
  async renewKey(account: Account): Promise<void> {
    const { keyVersion } = await getAccount(this.services().table, account.userId);
    account.keyVersion = keyVersion;
  }

  invoke<Result>(name: string, act: (services: Services) => Promise<Result>): Promise<Outcome<Result>> {
    return this.simulation.start(name, (process) => act(this.services(process)));
  }

  /** The services of one process; without one, the services of an observer whose calls take no turn. */
  services(process?: Process): Services {
    const { simulation } = this;
    const table = process
      ? this.#defect(new SimulatedTable(simulation, process, this.table))
      : new RememberedTable(this.table);
    const effect = (what: string, act: () => void): Promise<void> => {
      const run = async () => act();
      return process ? simulation.call(process, { kind: 'hint', what, run }) : run();
    };
    return {
      table,
      ...(process && this.#withOnePoller && { appends: this.#toPoller() }),
      clock: {
        nowMs: () => simulation.nowMs + (process?.skewMs ?? 0),
        sleep: (delayMs, signal) =>
          process ? simulation.sleep(process, delayMs, signal) : Promise.resolve(),
      },
      ids: this.ids,
      bus: {
        publish: (notices) => effect('publish', () => this.notices.push(...notices)),
        wakeNotifier: (position) => effect('wake the notifier', () => this.wakings.push(position)),
      },
      scheduler: {
        put: (delivery, atSeconds) =>
          effect('put schedule', () =>
            this.timers.set(delivery.scheduledMessageId, { ...delivery, atSeconds }),
          ),
        remove: ({ scheduledMessageId }) =>
          effect('remove schedule', () => this.timers.delete(scheduledMessageId)),
      },
      mail: {
        send: async () => {
          await effect('send mail', () => {});
          return 'sent';
        },
      },
      files: this.files.for(process),
      images: vipsImages,
      outside: {
        call: async ({ url }) => {
          await effect('call outside', () => {});
          return { status: 200, url, headers: {}, body: new TextEncoder().encode('{"content":"Answer"}') };
        },
      },
      ...(this.#withPhones && { relay: simulatedRelay(effect, this.handedOver) }),
      ...(this.sockets && {
        sockets: {
          ...this.sockets.for(process),
          ...(this.#havePushersElsewhere && {
            pushElsewhere: (work: PartWork) => effect('start a pusher', () => this.partWorks.push(work)),
          }),
        },
      }),
      apiDocument: async () => '{}',
      secret: async () => 'secret',
      config: this.#config,
    };
  }

  /** Services without an account, whose register has room for everything. */
  servicesWithRoom(): Services {
    const services = this.services();
    return { ...services, config: { ...services.config, snapshotBytes: defaultConfig.snapshotBytes } };
  }

  /** The table deletes expired items at some point. */
  async expire(): Promise<void> {
    const run = () => this.table.expire(this.#expiry);
    const outcome = await this.simulation.start('table', (process) =>
      this.simulation.call(process, { kind: 'expiry', what: 'delete what has expired', run }),
    );
    if (outcome.kind === 'done' && outcome.value > 0) this.simulation.faults.count('expired');
  }

  /** Outside of every process: for people and for the driver of workers. */
  wait(delayMs: number): Promise<void> {
    return this.simulation.sleep(undefined, delayMs);
  }
}

/** An endpoint as far as calling it goes. */
export interface Operation<P extends Parameters, Result> {
  route: string;
  handle(params: ValuesOf<P>, context: UserContext): Promise<Result>;
}

/** A context with a caller, also for operations that do without one. */
type UserContext = Context<'user'> & Context<'userOrAnonymous'>;

export const contextOf = (services: Services, caller: Account): UserContext => ({
  services,
  caller,
  client: 'website',
  clientAddress: '127.0.0.1',
  acceptsGzip: false,
  files: [],
  piece: undefined,
});
