import { join } from 'node:path';
import { bootstrapOrganization, WeakOwnerPassword } from '#functions/bootstrap.ts';
import { endpoints } from '#functions/routes.ts';
import { deliverScheduledMessage } from '#functions/workers/deliver-scheduled-message.ts';
import { beginConversations } from '#shared/actions/organization/begin-conversations.ts';
import { DeletionBegan } from '#shared/actions/organization/close-organization.ts';
import { createRelay } from '#shared/adapters/http-relay.ts';
import { vipsImages } from '#shared/adapters/images.ts';
import { createOutside } from '#shared/adapters/outside/call.ts';
import { completeAccounts } from '#shared/api/auth/complete-accounts.ts';
import { issueApiKey } from '#shared/api/auth/issue-api-key.ts';
import { WebClient } from '#shared/api/web/web-client.ts';
import { notifyDevices } from '#shared/push/notify.ts';
import { endWaitingPolls } from '#shared/queues/newest-poll.ts';
import { type Config, readConfig } from '#shared/runtime/config.ts';
import type { Ids } from '#shared/runtime/ids.ts';
import type { Relay } from '#shared/runtime/relay.ts';
import type { JobNotice, MailMessage, Services } from '#shared/runtime/services.ts';
import { listPendingScheduled } from '#shared/store/scheduled-messages.ts';
import { DynamoTable } from '#shared/table/dynamo-table.ts';
import { SqliteTable } from '#shared/table/sqlite/sqlite-table.ts';
import type { CapacityMeter, Table } from '#shared/table/table.ts';
import { describeService, printDocument } from '../openapi/service-document.ts';
import { openAppends } from './appends.ts';
import { type Around, justRun } from './around.ts';
import { createLocalBus, type LocalBus } from './bus.ts';
import { createTable, LOCAL_REGION, LOCAL_TABLE } from './create-table.ts';
import { convertOldTable, lockDataFolder, openDataFolder, openTableFile } from './data-folder.ts';
import { devEndpoints, guardDevEndpoint, requireLoopback } from './dev-keys.ts';
import { answerDocumentation } from './documentation.ts';
import { createLocalFiles, type LocalFiles } from './files.ts';
import { type Gateway, startGateway } from './gateway/gateway.ts';
import { createNameCheck } from './gateway/own-names.ts';
import { answerHealth } from './health.ts';
import { localConfig, MAIL_SENDER } from './local-config.ts';
import { Metrics } from './metrics/metrics.ts';
import { bookUnits, consumedUnits } from './metrics/units.ts';
import { type Outbox, openOutbox } from './outbox.ts';
import { pooledIds } from './pooled-ids.ts';
import { createQuietTable } from './quiet-table.ts';
import { createLocalScheduler, type LocalScheduler } from './scheduler.ts';
import { newSecret, readOrCreateSecret } from './secret.ts';
import { openSmtpMail, type SmtpMail } from './smtp-mail.ts';
import { LocalSockets, type SocketOptions } from './sockets/sockets.ts';
import { explainUnreachable, StartFailure } from './start-failure.ts';
import { createStoppableClock, type StoppableClock } from './stoppable-clock.ts';
import { sweepForever } from './sweep-forever.ts';
import { workerOf } from './workers.ts';

export interface ServiceOptions {
  /** The interval of the sweep, which first runs at the start; half a minute when absent, never for null. */
  sweepIntervalMs?: number | null;
  /** 0 uses any free port. */
  port: number;
  host?: string | undefined;
  /** The root address for clients, if it differs from the one that the service listens at. */
  publicUrl?: string | undefined;
  /** The number of proxies before the service whose `X-Forwarded-For` counts. */
  trustedProxies?: number | undefined;
  /** The SMTP server that sends mails; without one they stay in the outbox. */
  smtpUrl?: string | undefined;
  /** The data folder; without one data is kept in memory. */
  dataDir?: string | undefined;
  /** Keep the table in this DynamoDB instead of a file. */
  dynamodbEndpoint?: string | undefined;
  /** The name of the table there. */
  tableName?: string | undefined;
  /** Opens the table in place of that; it is not closed with the service. */
  openTable?: ((meter: CapacityMeter) => Table) | undefined;
  organizationName?: string | undefined;
  ownerEmail?: string | undefined;
  ownerPassword?: string | undefined;
  ownerFullName?: string | undefined;
  ownerMayChangeEmails?: boolean | undefined;
  /** Reactivates an organization that an owner has deactivated. */
  reactivates?: boolean | undefined;
  /** A new organization begins with a channel and messages that explain the product. */
  beginsWithConversations?: boolean | undefined;
  /** The default language of a new organization. */
  language?: string | undefined;
  config?: Partial<Config> | undefined;
  /** The request limit of an account; addresses without credentials get half of it. */
  requestsPerMinute?: number | undefined;
  /** Sends push notifications; without it there are none. */
  relay?: NamedRelay | undefined;
  /** The folder of the built web client, if it is not the usual one. */
  webFolder?: string | undefined;
  meter?: CapacityMeter | undefined;
  /** Called with each mail that the outbox keeps. */
  onMail?: ((message: MailMessage) => void) | undefined;
  around?: Around | undefined;
  sockets?: Partial<SocketOptions> | undefined;
  /** Replaces the secret of the data folder. */
  secret?: string | undefined;
  /** Replaces the system clock. */
  clock?: StoppableClock | undefined;
  ids?: Ids | undefined;
  /**
   * Each answer contains the request's consumption in its headers. An answer about a secret may consume other units
   * than one about a missing thing.
   */
  showsUnits?: boolean | undefined;
  /** Gives the API key of any account to programs on this machine, without a password. */
  devKeys?: boolean | undefined;
  /** Called when the disk fails: the service must end, since which of the latest writes it has is unknown. */
  onTableLost?: ((failure: Error) => void) | undefined;
}

/** A push relay, and the service's account there. */
export interface NamedRelay {
  url: string;
  user: string;
  key: string;
}

export interface Service {
  /** The root address, without a trailing slash. */
  url: string;
  port: number;
  /** Without content if the organization was deleted. */
  owner: { userId: number; email: string; apiKey: string };
  /** The data of the organization was erased, or is being erased: every request is refused. */
  isDeleted: boolean;
  services: LocalServices;
  /** Ends everything, including open long polls: at once, or after requests under way had time to finish. */
  stop(graceMs?: number): Promise<void>;
}

export interface LocalServices extends Services {
  bus: LocalBus;
  files: LocalFiles;
  scheduler: LocalScheduler;
  /** With a folder if mails stay in an outbox. */
  mail: SmtpMail & Partial<Pick<Outbox, 'folder'>>;
  clock: StoppableClock;
}

interface Surroundings {
  table: Table;
  url: string;
  secret: string;
}

/** The running parts, in the order in which they must stop. */
interface Running {
  gateway?: Gateway;
  sockets?: LocalSockets;
  services?: LocalServices;
  table?: SqliteTable;
  lock?: { release(): void };
  isStopped?: boolean;
}

const SWEEP_INTERVAL_MS = 30_000;
const WEB_FOLDER = join(import.meta.dirname, '../../dist/web');
const BACKGROUND_GRACE_MS = 1_000;
const NO_OWNER = { userId: 0, email: '', apiKey: '' };

/** Starts the whole service; on failure, everything started is stopped again. @throws StartFailure */
export async function startService(options: ServiceOptions): Promise<Service> {
  const running: Running = {};
  const metrics = new Metrics({ ...endpoints, ...devEndpoints });
  try {
    return await start({ ...options, around: metrics.around(options.around, options) }, running, metrics);
  } catch (failure) {
    await stop(running);
    throw failure;
  }
}

async function start(options: ServiceOptions, running: Running, metrics: Metrics): Promise<Service> {
  const host = options.host ?? '127.0.0.1';
  if (options.devKeys) requireLoopback(host, options.publicUrl);
  const ready = Promise.withResolvers<LocalServices>();
  const sockets = new LocalSockets({ around: options.around ?? justRun, ...options.sockets });
  running.sockets = sockets;
  running.gateway = await startGateway({
    registry: { ...endpoints, ...(options.devKeys && devEndpoints) },
    trustedProxies: options.trustedProxies,
    publicUrl: options.publicUrl,
    guard: guardDevEndpoint,
    isOwnName: createNameCheck(host, options.publicUrl),
    web: new WebClient(options.webFolder ?? WEB_FOLDER),
    services: ready.promise,
    host,
    port: options.port,
    around: options.around,
    acceptSocket: (...connection) => sockets.accept(...connection),
    beside: async (event) =>
      answerDocumentation(event) ??
      (await metrics.answer(event)) ??
      (await answerHealth(event, await ready.promise)) ??
      (await ready.promise).files.answer(event),
  });
  const url = `http://${addressOf(host)}:${running.gateway.port}`;
  const table = await openTable(options, running);
  const services = await createServices(
    options,
    { sockets, metrics },
    {
      table,
      url: options.publicUrl ?? url,
      secret: await chooseSecret(options),
    },
  );
  running.services = services;
  services.noteSeen = (lagMs) => metrics.noteSeen(lagMs);
  const found = await findOwner(options, services, options.publicUrl ?? url);
  services.scheduler.arm(await listPendingScheduled(services.table));
  const { sweepIntervalMs = SWEEP_INTERVAL_MS } = options;
  if (sweepIntervalMs !== null) {
    // Done now, so that no account must wait for the first sweep.
    if (found) await completeAccounts(services);
    void sweepForever(services, sweepIntervalMs, { around: options.around, table: running.table });
  }
  ready.resolve(services);
  sockets.start(services);
  let stopped: Promise<void> | undefined;
  const stopOnce = (graceMs?: number) => {
    stopped ??= stop(running, graceMs);
    return stopped;
  };
  return {
    url,
    port: running.gateway.port,
    owner: found ?? NO_OWNER,
    isDeleted: !found,
    services,
    stop: stopOnce,
  };
}

async function openTable(options: ServiceOptions, running: Running): Promise<Table> {
  const { dataDir, dynamodbEndpoint, tableName = LOCAL_TABLE, clock, onTableLost } = options;
  const meter: CapacityMeter = (units) => {
    bookUnits(units);
    options.meter?.(units);
  };
  if (options.openTable) return options.openTable(meter);
  if (dynamodbEndpoint !== undefined) {
    const where = { endpoint: dynamodbEndpoint, tableName };
    await createTable(where).catch((failure) => explainUnreachable(failure, dynamodbEndpoint));
    const table = new DynamoTable({ ...where, region: LOCAL_REGION, meter });
    return createQuietTable(table, () => running.isStopped === true);
  }
  const own = { meter, nowMs: clock && (() => clock.nowMs()), onLost: onTableLost };
  if (dataDir === undefined) running.table = new SqliteTable(own);
  else {
    await openDataFolder(dataDir);
    running.lock = lockDataFolder(dataDir);
    await convertOldTable(dataDir);
    running.table = openTableFile(dataDir, own);
  }
  return running.table;
}

async function chooseSecret({ secret, dataDir }: ServiceOptions): Promise<string> {
  if (secret !== undefined) return secret;
  if (dataDir === undefined) return newSecret();
  await openDataFolder(dataDir);
  return readOrCreateSecret(dataDir);
}

async function createServices(
  options: ServiceOptions,
  { sockets, metrics }: { sockets: LocalSockets; metrics: Metrics },
  { table, url, secret }: Surroundings,
): Promise<LocalServices> {
  const { dataDir, around = justRun, clock = createStoppableClock(), ids = pooledIds } = options;
  const config = { ...readConfig(process.env), ...localConfig(options), ...options.config };
  let document: string | undefined;
  const services: LocalServices = {
    table,
    consumed: consumedUnits,
    scheduler: createLocalScheduler({
      deliver: (delivery) =>
        around('deliver-scheduled-message', () => deliverScheduledMessage(services, delivery)),
      clock,
    }),
    bus: createLocalBus({
      runJob: (notice) => workOn(services, notice, around),
      notifyDevices: (position) => around('notify-devices', () => notifyDevices(services, position)),
      clock,
    }),
    mail: options.smtpUrl
      ? openSmtpMail(options.smtpUrl, config.mailSender ?? MAIL_SENDER, (result) => metrics.noteMail(result))
      : await openOutbox({ dataDir, sender: MAIL_SENDER, clock, onMail: options.onMail }),
    images: vipsImages,
    outside: createOutside({ openings: config.openings }),
    files: createLocalFiles({ folder: dataDir && join(dataDir, 'files'), url, secret, clock }),
    clock,
    ids,
    appends: openAppends(),
    sockets,
    secret: async () => secret,
    apiDocument: async () => {
      document ??= printDocument(describeService());
      return document;
    },
    config,
    ...(options.relay && { relay: relayOf(options.relay, config) }),
  };
  return services;
}

function workOn(services: Services, notice: JobNotice, around: Around): Promise<void> {
  const { name, work } = workerOf(notice.type);
  return around(name, () => work(services, notice));
}

const relayOf = ({ key, ...named }: NamedRelay, { relayTimeoutMs }: Config): Relay =>
  createRelay({ ...named, key: async () => key, timeoutMs: relayTimeoutMs });

/** Undefined if the organization was deleted: the service then answers only that. */
async function findOwner(options: ServiceOptions, services: Services, url: string) {
  const { ownerPassword, ownerFullName, ownerMayChangeEmails, reactivates } = options;
  const bootstrap = bootstrapOrganization(services, {
    organizationName: options.organizationName ?? 'Team Chat',
    url,
    ownerEmail: options.ownerEmail ?? 'owner@example.com',
    ...(ownerPassword !== undefined && { ownerPassword }),
    ...(ownerFullName !== undefined && { ownerFullName }),
    ...(ownerMayChangeEmails && { ownerMayChangeEmails }),
    ...(reactivates && { reactivates }),
    ...(options.language !== undefined && { language: options.language }),
  });
  const bootstrapped = await bootstrap.catch((failure) => {
    if (failure instanceof DeletionBegan) return undefined;
    throw failure instanceof WeakOwnerPassword ? new StartFailure(failure.message) : failure;
  });
  if (!bootstrapped) return undefined;
  const { owner, created } = bootstrapped;
  if (created && options.beginsWithConversations) await beginConversations(services, owner.userId);
  return { userId: owner.userId, email: owner.email, apiKey: await issueApiKey(services, owner) };
}

async function stop(running: Running, graceMs = 0): Promise<void> {
  const { gateway, sockets, services, table, lock } = running;
  if (graceMs > 0) {
    sockets?.close();
    if (services) endWaitingPolls(services);
  } else sockets?.stop();
  await gateway?.stop(graceMs);
  sockets?.stop();
  if (services) {
    const { bus, scheduler, mail, clock } = services;
    await Promise.race([Promise.all([bus.stop(), scheduler.stop()]), clock.sleep(BACKGROUND_GRACE_MS)]);
    clock.stop();
    await mail.close();
  }
  running.isStopped = true;
  await table?.close();
  lock?.release();
}

/** The host name with which local clients reach a listening address. */
export function addressOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
