import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { buildPoller } from '#infra/poller/build.ts';
import { POLLS_PER_PROCESS } from '#infra/poller/limits.ts';
import { RunningPoller, throughDistribution } from '#tests/harness/poller/running-poller.ts';
import { WatchedEngine } from '#tests/harness/wire-engine/watched-engine.ts';
import { atMost, type Row } from './report.ts';
import { type BenchClient, type BenchService, startBenchService } from './service.ts';

const MESSAGES = 20;
const WARMING = 3;
/** So few that no account comes to its limit of requests. */
const POLLS_PER_PERSON = 4;
const WATCHED_MS = 10_000;
const HOUR_MS = 3_600_000;
const MAX_POLL_KILOBYTES = 30;
const MEBIBYTE = 1024 ** 2;

/** The resources of the built poller under as many polls as one web function's environment gets. */
export interface PollerLoad {
  looksAnHour: number;
  /** The heap of a waiting poll, without its connection. */
  pollKilobytes: number;
  /** The memory of the process with all of its polls, after the load. */
  residentMebibytes: number;
  /** Processor time of one poll from its request to its answer with an event. */
  cpuMsPerAnswer: number;
}

export async function measurePoller(): Promise<PollerLoad> {
  const folder = mkdtempSync(join(tmpdir(), 'team-chat-poller-'));
  await buildPoller(folder);
  const service = await startBenchService({ isShared: true });
  const engine = await new WatchedEngine(service.tableEndpoint).start();
  const place = { tableName: service.tableName, dynamodbEndpoint: engine.url };
  const poller = await RunningPoller.start({ folder, ...place });
  try {
    return await load(service, engine, poller);
  } finally {
    await poller.end();
    await engine.stop();
    await service.stop();
    rmSync(folder, { recursive: true });
  }
}

async function load(
  service: BenchService,
  engine: WatchedEngine,
  poller: RunningPoller,
): Promise<PollerLoad> {
  const clients = await createClients(service, POLLS_PER_PROCESS / POLLS_PER_PERSON);
  const queues = clients.flatMap((client) => Array.from({ length: POLLS_PER_PERSON }, () => client));
  const polls = await Promise.all(queues.map((client) => Poll.open(client, poller.url)));
  const say = () =>
    service.owner.call('POST', '/messages', { type: 'channel', to: 'load', topic: 't', content: 'hello' });
  // Loads everything that is loaded once, and opens all connections.
  for (let n = 0; n < WARMING; n++) await answerAll(polls, say);
  const resting = await poller.usage();
  for (const poll of polls) poll.begin();
  await pause(WATCHED_MS / 2);
  const waiting = await poller.usage();
  const looksBefore = engine.looks;
  await pause(WATCHED_MS);
  const looksAnHour = ((engine.looks - looksBefore) * HOUR_MS) / WATCHED_MS;
  const before = await poller.usage();
  for (let n = 0; n < MESSAGES; n++) await answerAll(polls, say);
  const after = await poller.usage();
  return {
    looksAnHour,
    pollKilobytes: (waiting.heapBytes - resting.heapBytes) / polls.length / 1024,
    residentMebibytes: after.residentBytes / MEBIBYTE,
    cpuMsPerAnswer: (after.cpuMs - before.cpuMs) / (MESSAGES * polls.length),
  };
}

async function createClients(service: BenchService, count: number): Promise<BenchClient[]> {
  const clients: BenchClient[] = [];
  for (let n = 0; n < count; n++) clients.push(await service.createUser(`Person${n}`));
  const subscribers = clients.map(({ userId }) => userId);
  await service.owner.call('POST', '/channels/create', { name: 'load', subscribers });
  return clients;
}

/** Lets every poll wait, says something, and waits until all are answered. */
async function answerAll(polls: Poll[], say: () => Promise<unknown>): Promise<void> {
  const answers = polls.map((poll) => poll.begin());
  await say();
  await Promise.all(answers);
  for (const poll of polls) poll.rest();
}

/** One client of the poller. */
class Poll {
  readonly #client: BenchClient;
  readonly #url: string;
  readonly #queueId: string;
  #lastEventId: number;
  #answer: Promise<void> | undefined;

  static async open(client: BenchClient, url: string): Promise<Poll> {
    const params = { event_types: ['message'], fetch_event_types: [] };
    const { queue_id, last_event_id } = await client.call('POST', '/register', params);
    return new Poll(client, url, queue_id, last_event_id);
  }

  private constructor(client: BenchClient, url: string, queueId: string, lastEventId: number) {
    this.#client = client;
    this.#url = url;
    this.#queueId = queueId;
    this.#lastEventId = lastEventId;
  }

  begin(): Promise<void> {
    this.#answer ??= this.#pollUntilEvent();
    return this.#answer;
  }

  rest(): void {
    this.#answer = undefined;
  }

  async #pollUntilEvent(): Promise<void> {
    const after = this.#lastEventId;
    while (this.#lastEventId === after) {
      const query = `queue_id=${this.#queueId}&last_event_id=${this.#lastEventId}`;
      const headers = { authorization: this.#client.authorization, ...throughDistribution };
      const reply = await fetch(`${this.#url}/events?${query}`, { headers });
      const { events } = (await reply.json()) as { events?: { id: number }[] };
      if (!events) throw new Error(`A poll was answered with ${reply.status}`);
      this.#lastEventId = events.at(-1)?.id ?? this.#lastEventId;
    }
  }
}

export const describePoller = (measured: PollerLoad): Row[] => [
  atMost(
    `looks of ${POLLS_PER_PROCESS} polls at the log in an hour, after something happened`,
    measured.looksAnHour,
    (looks) => looks.toFixed(0),
  ),
  atMost(
    'heap of a poll that waits, beside its connection',
    measured.pollKilobytes,
    (kilobytes) => `${kilobytes.toFixed(1)} KB`,
    MAX_POLL_KILOBYTES,
  ),
  atMost(
    `memory of the process with ${POLLS_PER_PROCESS} polls`,
    measured.residentMebibytes,
    (mebibytes) => `${mebibytes.toFixed(0)} MiB`,
  ),
  atMost(
    'processor time of a poll that is answered with an event',
    measured.cpuMsPerAnswer,
    (ms) => `${ms.toFixed(2)} ms`,
  ),
];
