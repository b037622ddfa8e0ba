import { join } from 'node:path';
import { bootstrapOrganization } from '#functions/bootstrap.ts';
import { deliverScheduledMessage } from '#functions/workers/deliver-scheduled-message.ts';
import { exportData } from '#functions/workers/export-data.ts';
import { runJob } from '#functions/workers/run-job.ts';
import { sweep } from '#functions/workers/sweep.ts';
import { completeAccounts } from '#shared/api/complete-accounts.ts';
import { issueApiKey } from '#shared/api/issue-api-key.ts';
import { notifyDevices } from '#shared/log/push/notify.ts';
import { type Config, defaultConfig, readConfig } from '#shared/runtime/config.ts';
import { randomIds } from '#shared/runtime/ids.ts';
import { vipsImages } from '#shared/runtime/images.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import { createRelay, type Relay } from '#shared/runtime/relay.ts';
import type { JobNotice, Services } from '#shared/runtime/services.ts';
import { listPendingScheduled } from '#shared/store/scheduled-messages.ts';
import { type CapacityMeter, DynamoTable } from '#shared/table/dynamo-table.ts';
import { describeService, printDocument } from '../openapi/service-document.ts';
import { type Around, justRun } from './around.ts';
import { createLocalBus, type LocalBus } from './bus.ts';
import { createTable, LOCAL_REGION } from './create-table.ts';
import { lockDataFolder, openDataFolder } from './data-folder.ts';
import { answerDocumentation } from './documentation.ts';
import { type Engine, startEngine } from './engine.ts';
import { createLocalFiles, type LocalFiles } from './files.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { localEndpoints } from './local-routes.ts';
import { type Outbox, openOutbox } from './outbox.ts';
import { createLocalScheduler, type LocalScheduler } from './scheduler.ts';
import { newSecret, readOrCreateSecret } from './secret.ts';
import { StartFailure } from './start-failure.ts';
import { createStoppableClock, type StoppableClock } from './stoppable-clock.ts';

export interface ServiceOptions {
  /** How often the sweep comes by, for the first time at the start; every half a minute when absent, never for null. */
  sweepIntervalMs?: number | null;
  /** 0 takes any free port. */
  port: number;
  host?: string | undefined;
  /** The folder that keeps the data; without one nothing is kept. */
  dataDir?: string | undefined;
  /** Another DynamoDB than an embedded one of this service's own. */
  dynamodbEndpoint?: string | undefined;
  tableName?: string | undefined;
  organizationName?: string | undefined;
  ownerEmail?: string | undefined;
  ownerPassword?: string | undefined;
  ownerFullName?: string | undefined;
  ownerMayChangeEmails?: boolean | undefined;
  /** Lets an organization go on that an owner deactivated. */
  reactivates?: boolean | undefined;
  config?: Partial<Config> | undefined;
  /** How often one account may call; addresses without credentials half as often. */
  requestsPerMinute?: number | undefined;
  /** Through which devices are notified; nobody is without. */
  relay?: NamedRelay | undefined;
  meter?: CapacityMeter | undefined;
  around?: Around | undefined;
  /** Instead of the one that the folder keeps. */
  secret?: string | undefined;
  /** Called when the embedded DynamoDB ends although the service goes on. */
  onEngineLost?: (() => void) | undefined;
}

/** A push relay, and by what it knows this service. */
export interface NamedRelay {
  url: string;
  user: string;
  key: string;
}

export interface Service {
  /** The root address, without a slash at its end. */
  url: string;
  port: number;
  owner: { userId: number; email: string; apiKey: string };
  services: LocalServices;
  /** Ends everything at once, open long polls included. */
  stop(): Promise<void>;
}

export interface LocalServices extends Services {
  bus: LocalBus;
  files: LocalFiles;
  scheduler: LocalScheduler;
  mail: Outbox;
  clock: StoppableClock;
}

/** What runs, in the order in which it has to end. */
interface Running {
  gateway?: Gateway;
  services?: LocalServices;
  engine?: Engine;
  lock?: { release(): void };
}

/** `REQUESTS_PER_MINUTE` of `npm start` says otherwise. */
const LOCAL_REQUESTS_PER_MINUTE = 10_000;
const SWEEP_INTERVAL_MS = 30_000;
/** Nobody gets these mails: they stay in the outbox. */
const MAIL_SENDER = 'Team Chat <noreply@localhost>';
const BACKGROUND_GRACE_MS = 1_000;
const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ETIMEDOUT', 'TimeoutError']);

/** Starts the whole service; when it cannot, whatever has started is ended again. @throws StartFailure */
export async function startService(options: ServiceOptions): Promise<Service> {
  const running: Running = {};
  try {
    return await start(options, running);
  } catch (failure) {
    await stop(running);
    throw failure;
  }
}

async function start(options: ServiceOptions, running: Running): Promise<Service> {
  const host = options.host ?? '127.0.0.1';
  const ready = Promise.withResolvers<LocalServices>();
  const { port } = options;
  running.gateway = await startGateway({
    registry: localEndpoints,
    services: ready.promise,
    host,
    port,
    around: options.around,
    beside: async (event) => answerDocumentation(event) ?? (await ready.promise).files.answer(event),
  });
  const url = `http://${addressOf(host)}:${running.gateway.port}`;
  const endpoint = options.dynamodbEndpoint ?? (await startOwnEngine(options, running));
  const tableName = options.tableName ?? 'team-chat';
  await createTable({ endpoint, tableName }).catch((failure) => explainUnreachable(failure, endpoint));
  const services = await createServices(options, {
    endpoint,
    tableName,
    url,
    secret: await chooseSecret(options),
  });
  running.services = services;
  const owner = await findOwner(options, services, url);
  services.scheduler.arm(await listPendingScheduled(services.table));
  const { sweepIntervalMs = SWEEP_INTERVAL_MS } = options;
  if (sweepIntervalMs !== null) {
    // No account waits for the first sweep.
    await completeAccounts(services);
    void sweepForever(services, sweepIntervalMs, options.around);
  }
  ready.resolve(services);
  let stopped: Promise<void> | undefined;
  const stopOnce = () => {
    stopped ??= stop(running);
    return stopped;
  };
  return { url, port: running.gateway.port, owner, services, stop: stopOnce };
}

async function startOwnEngine(options: ServiceOptions, running: Running): Promise<string> {
  const { dataDir, onEngineLost } = options;
  if (dataDir !== undefined) {
    await openDataFolder(dataDir);
    running.lock = lockDataFolder(dataDir);
  }
  const databasePath = dataDir && join(dataDir, 'database.sqlite');
  running.engine = await startEngine({ databasePath, onLost: onEngineLost });
  return running.engine.endpoint;
}

async function chooseSecret({ secret, dataDir }: ServiceOptions): Promise<string> {
  if (secret !== undefined) return secret;
  if (dataDir === undefined) return newSecret();
  await openDataFolder(dataDir);
  return readOrCreateSecret(dataDir);
}

async function createServices(
  options: ServiceOptions,
  { endpoint, tableName, url, secret }: { endpoint: string; tableName: string; url: string; secret: string },
): Promise<LocalServices> {
  const { dataDir, around = justRun } = options;
  const clock = createStoppableClock();
  const meter = options.meter && { meter: options.meter };
  const config = { ...readConfig(process.env), ...localConfig(options), ...options.config };
  let document: string | undefined;
  const services: LocalServices = {
    table: new DynamoTable({ tableName, endpoint, region: LOCAL_REGION, ...meter }),
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
    mail: await openOutbox({ dataDir, sender: MAIL_SENDER, clock }),
    images: vipsImages,
    files: createLocalFiles({ folder: dataDir && join(dataDir, 'files'), url, secret, clock }),
    clock,
    ids: randomIds,
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

const workOn = (services: Services, notice: JobNotice, around: Around): Promise<void> =>
  notice.type === 'export-data'
    ? around('export-data', () => exportData(services, notice))
    : around('run-job', () => runJob(services, notice));

const relayOf = ({ key, ...named }: NamedRelay, { relayTimeoutMs }: Config): Relay =>
  createRelay({ ...named, key: async () => key, timeoutMs: relayTimeoutMs });

/** On one's own computer nobody but oneself is kept waiting, so much more is allowed than on AWS. */
function localConfig({ requestsPerMinute = LOCAL_REQUESTS_PER_MINUTE }: ServiceOptions): Partial<Config> {
  const perMinute = (requests: number) => ({ requests, windowSeconds: 60 });
  const { mailLimits } = defaultConfig;
  const plenty = { limit: 100_000, windowSeconds: 24 * 3600 };
  return {
    requestLimits: {
      user: perMinute(requestsPerMinute),
      address: perMinute(Math.ceil(requestsPerMinute / 2)),
      light: perMinute(requestsPerMinute * 6),
    },
    mailLimits: { ...mailLimits, invitations: plenty, confirmationsFrom: plenty },
    mailSender: MAIL_SENDER,
  };
}

async function findOwner(options: ServiceOptions, services: Services, url: string) {
  const { ownerPassword, ownerFullName, ownerMayChangeEmails, reactivates } = options;
  const { owner } = await bootstrapOrganization(services, {
    organizationName: options.organizationName ?? 'Team Chat',
    url,
    ownerEmail: options.ownerEmail ?? 'owner@example.com',
    ...(ownerPassword !== undefined && { ownerPassword }),
    ...(ownerFullName !== undefined && { ownerFullName }),
    ...(ownerMayChangeEmails && { ownerMayChangeEmails }),
    ...(reactivates && { reactivates }),
  });
  return { userId: owner.userId, email: owner.email, apiKey: await issueApiKey(services, owner) };
}

/** Ends with the clock. */
async function sweepForever(services: Services, intervalMs: number, around = justRun): Promise<void> {
  for (;;) {
    await around('sweep', () => sweep(services)).catch((failure) =>
      logLine('error', 'The sweep failed', describeFailure(failure)),
    );
    await services.clock.sleep(intervalMs);
  }
}

async function stop({ gateway, services, engine, lock }: Running): Promise<void> {
  await gateway?.stop();
  if (services) {
    const { bus, scheduler, mail, clock } = services;
    const grace = clock.sleep(BACKGROUND_GRACE_MS);
    await Promise.race([Promise.all([bus.stop(), scheduler.stop()]), grace]);
    clock.stop();
    await mail.close();
  }
  await engine?.stop();
  lock?.release();
}

/** The name under which a client on this computer reaches what listens on an address. */
function addressOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

function explainUnreachable(failure: unknown, endpoint: string): never {
  const { code, name } = failure as NodeJS.ErrnoException;
  if (UNREACHABLE.has(code ?? name ?? '')) throw new StartFailure(`DynamoDB does not answer at ${endpoint}.`);
  throw failure;
}
