import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { buildFunctions } from '#infra/build/build.ts';
import { LOCAL_REGION } from '#infra/local/create-table.ts';
import type { HttpEvent, HttpReply } from '#shared/api/http.ts';
import { writeBootstrap } from '#tests/harness/lambda/deployed-functions.ts';
import { FakeAws } from '#tests/harness/lambda/fake-aws.ts';
import { LambdaFunction } from '#tests/harness/lambda/lambda-function.ts';
import { percentile, type Row } from './report.ts';
import { type BenchClient, type BenchService, startBenchService } from './service.ts';

/** Accounts take turns: one of its own for each process would stay within the limits as well, but fill the organization. */
const PEOPLE = 20;
const MESSAGES = 20;
/** Calls before the warm ones that count: the first of them still compile their code. */
const WARMING = 10;
const WARM_CALLS = 20;
/** A function that does nothing: the cost of the process and the Runtime API. */
const EMPTY = 'an empty handler';
const SOURCES = 'sources';
/** The allowed start time of a function, as a multiple of that of an empty handler. */
const MOST_EMPTY_HANDLERS = 3;
const SECRET_PARAMETER = '/bench/secret';

/** The costs of one new process. Times of the CPU in ms, of all threads; `init` is from the start of the process. */
interface Readings {
  initMs: number;
  firstMs: number;
  /** The mean of the calls that count. */
  warmMs: number;
  initWallMs: number;
  firstWallMs: number;
  /** Memory after all calls. */
  residentMebibytes: number;
}

/** One function in one build, the median of its processes. */
export interface ColdRow extends Readings {
  build: string;
  name: string;
  /** The modules that it loads when it starts; unknown for builds that were made elsewhere. */
  bytes: number | undefined;
}

export interface ColdOptions {
  /** New processes for each function and build; they take turns, so that a busy moment hits all alike. */
  runs: number;
  /** Folders of other builds beside that of the sources, by name. */
  builds?: Record<string, string>;
}

/** The time to load functions of the built bundles by a Runtime API, and to answer a first call and later ones. */
export async function measureCold({ runs, builds = {} }: ColdOptions): Promise<ColdRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'team-chat-cold-'));
  const service = await startBenchService({ isShared: true });
  const aws = await FakeAws.run({ parameters: { [SECRET_PARAMETER]: await service.services.secret() } });
  try {
    const { bytesByFunction } = await buildFunctions(folder);
    const environment = environmentOf(service, aws.url);
    const bootstrap = writeBootstrap(folder);
    const callers = await prepare(service);
    const tasks = [
      { build: '', name: EMPTY, bundle: writeEmpty(folder) },
      ...Object.entries({ [SOURCES]: folder, ...builds }).flatMap(([build, at]) =>
        Object.keys(EVENTS).map((name) => ({ build, name, bundle: resolve(at, 'functions', `${name}.mjs`) })),
      ),
    ].map((task) => ({ ...task, readings: [] as Readings[] }));
    for (let run = 0; run < runs; run++) {
      await renew(service, callers);
      // Calls leave messages behind, which the next ones read: no build comes last in all rounds.
      const inTurn = run % 2 === 0 ? tasks : tasks.toReversed();
      for (const [index, { name, bundle, readings }] of inTurn.entries()) {
        const caller = callers[(run * tasks.length + index) % PEOPLE]!;
        const deployed = new LambdaFunction(settingsOf(name, bundle, environment), bootstrap);
        readings.push(await readFrom(deployed, (EVENTS[name] ?? getOwnUser)(caller)));
      }
    }
    return tasks.map(({ build, name, readings }) => {
      const bytes = build === SOURCES ? bytesByFunction[name] : undefined;
      return { build, name, bytes, ...medians(readings) };
    });
  } finally {
    await aws.stop();
    await service.stop();
    rmSync(folder, { recursive: true });
  }
}

/** A row as it is printed. */
export const describeCold = (row: ColdRow): string =>
  [
    row.build.padEnd(14),
    row.name.padEnd(18),
    ...[row.initMs, row.firstMs, row.warmMs, row.initWallMs, row.firstWallMs].map((ms) =>
      ms.toFixed(1).padStart(9),
    ),
    row.residentMebibytes.toFixed(0).padStart(6),
    (row.bytes === undefined ? '' : (row.bytes / 1024).toFixed(0)).padStart(6),
  ].join(' ');

/** The start time of each function of the sources, beside an empty handler: the budget of a bundle. */
export function coldBudgets(rows: ColdRow[]): Row[] {
  const emptyMs = rows.find(({ name }) => name === EMPTY)?.initMs ?? Number.NaN;
  return rows
    .filter(({ build }) => build === SOURCES)
    .map(({ name, initMs }) => ({
      what: name,
      measured: `${(initMs / emptyMs).toFixed(1)} ×`,
      budget: `≤ ${MOST_EMPTY_HANDLERS} ×`,
      isMet: initMs <= MOST_EMPTY_HANDLERS * emptyMs,
    }));
}

export const COLD_HEADER = `${''.padEnd(33)} ${['init', 'first', 'warm', 'init wall', '1st wall']
  .map((one) => one.padStart(9))
  .join(' ')}    MiB     KB`;

function medians(readings: Readings[]): Readings {
  const median = (pick: (one: Readings) => number): number => percentile(readings.map(pick), 0.5);
  return {
    initMs: median((one) => one.initMs),
    firstMs: median((one) => one.firstMs),
    warmMs: median((one) => one.warmMs),
    initWallMs: median((one) => one.initWallMs),
    firstWallMs: median((one) => one.firstWallMs),
    residentMebibytes: median((one) => one.residentMebibytes),
  };
}

const settingsOf = (name: string, bundle: string, environment: Record<string, string>) => ({
  functionName: name,
  folder: dirname(bundle),
  handler: `${name === EMPTY ? 'empty' : name}.handler`,
  environment,
  timeoutSeconds: 29,
  memoryMegabytes: 512,
});

/** One new process, from its start to its end. @throws Error when it does not answer each call with 200 */
async function readFrom(deployed: LambdaFunction, event: HttpEvent): Promise<Readings> {
  const call = async () => {
    const outcome = await deployed.invoke(event);
    const reply = outcome.kind === 'answer' ? (outcome.payload as HttpReply) : undefined;
    if (outcome.kind === 'failure' || reply?.statusCode !== 200)
      throw new Error(`${event.routeKey}: ${JSON.stringify(outcome)}\n${deployed.output}`);
    return outcome.usage;
  };
  const startMs = performance.now();
  const init = await deployed.provision();
  const loadedMs = performance.now();
  const first = await call();
  const answeredMs = performance.now();
  let usage = first;
  for (let n = 0; n < WARMING; n++) usage = await call();
  const warmFromMs = usage.cpuMs;
  for (let n = 0; n < WARM_CALLS; n++) usage = await call();
  await deployed.shutDown();
  const initMs = init?.cpuMs ?? 0;
  return {
    initMs,
    firstMs: first.cpuMs - initMs,
    warmMs: (usage.cpuMs - warmFromMs) / WARM_CALLS,
    initWallMs: loadedMs - startMs,
    firstWallMs: answeredMs - loadedMs,
    residentMebibytes: usage.residentBytes / 2 ** 20,
  };
}

function writeEmpty(folder: string): string {
  const path = join(folder, 'empty', 'functions');
  mkdirSync(path, { recursive: true });
  const file = join(path, 'empty.mjs');
  writeFileSync(file, 'export const handler = async () => ({ statusCode: 200, headers: {}, body: "" });');
  return file;
}

/** The addresses of the table and the services for a function of the bench. */
export const environmentOf = (service: BenchService, aws: string): Record<string, string> => ({
  AWS_REGION: LOCAL_REGION,
  AWS_ENDPOINT_URL: aws,
  AWS_ENDPOINT_URL_DYNAMODB: service.tableEndpoint,
  TABLE_NAME: service.tableName,
  SECRET_PARAMETER,
  BUS_NAME: 'bench',
  FILES_BUCKET: 'bench',
});

interface Caller extends BenchClient {
  queueId: string;
  lastEventId: number;
}

/** An organization in which all callers are in one channel. */
async function prepare(service: BenchService): Promise<Caller[]> {
  const people: BenchClient[] = [];
  for (let n = 0; n < PEOPLE; n++) people.push(await service.createUser(`Person${n}`));
  const principals = [service.owner, ...people].map(({ userId }) => userId);
  const subscriptions = [{ name: 'lively' }];
  await service.owner.call('POST', '/users/me/subscriptions', { subscriptions, principals });
  await service.settle();
  return people.map((one) => ({ ...one, queueId: '', lastEventId: -1 }));
}

/** Gives each caller a new queue, since queues end while runs go on, for which messages wait. */
async function renew(service: BenchService, callers: Caller[]): Promise<void> {
  for (const caller of callers) {
    const queue = await caller.call('POST', '/register', { event_types: ['message'] });
    Object.assign(caller, { queueId: queue.queue_id, lastEventId: queue.last_event_id });
  }
  for (let n = 0; n < MESSAGES; n++) {
    const content = `**Message** ${n}`;
    await service.owner.call('POST', '/messages', { type: 'channel', to: 'lively', topic: 'bench', content });
  }
  await service.settle();
}

const FORM = 'application/x-www-form-urlencoded';

/** The event by which the gateway calls a function, by the function's name. */
const EVENTS: Record<string, (caller: Caller) => HttpEvent> = {
  'get-own-user': getOwnUser,
  'list-messages': (caller) =>
    eventOf(caller, 'GET', '/messages', {
      anchor: 'newest',
      num_before: '20',
      num_after: '0',
      narrow: '[["channel","lively"],["topic","bench"]]',
    }),
  'get-events': (caller) =>
    eventOf(caller, 'GET', '/events', {
      queue_id: caller.queueId,
      last_event_id: String(caller.lastEventId),
      dont_block: 'true',
    }),
  'register-queue': (caller) => eventOf(caller, 'POST', '/register', { event_types: '["message"]' }),
  'send-message': (caller) =>
    eventOf(caller, 'POST', '/messages', {
      type: 'channel',
      to: 'lively',
      topic: `of ${caller.userId}`,
      content: 'Hello **all**, see #**lively>bench** :smile:',
    }),
  'upload-file': (caller) => {
    const event = eventOf(caller, 'POST', '/user_uploads', {});
    const contentType = 'multipart/form-data; boundary=part';
    return { ...event, headers: { ...event.headers, 'content-type': contentType }, body: UPLOAD };
  },
};

function getOwnUser(caller: Caller): HttpEvent {
  return eventOf(caller, 'GET', '/users/me', {});
}

const UPLOAD = Buffer.from(
  `--part\r\nContent-Disposition: form-data; name="file"; filename="notes.txt"\r\nContent-Type: text/plain\r\n\r\n${'Some notes. '.repeat(2_000)}\r\n--part--\r\n`,
).toString('base64');

/** A request as the gateway hands it to a function. */
export function eventOf(
  { authorization }: Pick<BenchClient, 'authorization'>,
  method: string,
  path: string,
  params: Record<string, string>,
): HttpEvent {
  const form = new URLSearchParams(params).toString();
  const isGet = method === 'GET';
  return {
    version: '2.0',
    routeKey: `${method} /api/v1${path}`,
    rawPath: `/api/v1${path}`,
    rawQueryString: isGet ? form : '',
    headers: { authorization, 'accept-encoding': 'gzip', ...(!isGet && { 'content-type': FORM }) },
    ...(!isGet && { body: Buffer.from(form).toString('base64') }),
    isBase64Encoded: !isGet,
    requestContext: {
      requestId: 'bench',
      domainName: 'bench.example.com',
      http: { method, path: `/api/v1${path}`, sourceIp: '127.0.0.1' },
    },
  };
}
