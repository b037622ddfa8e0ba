import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { atMost, percentile, type Row } from '../report.ts';
import { measureDurablePutMs } from './durable-put.ts';
import { LeanClient } from './lean-client.ts';
import { countSends, sendSteadily, timeCalls, timeSends } from './loops.ts';
import { OWNER, type Running, residentMebibytes, startEmptyServer, startLocal } from './running.ts';
import { makeTeam, signIn, type Team } from './team.ts';

const PORT = 19_991;
const STARTS = 3;
const REGISTER = { method: 'POST', path: '/api/v1/register' };
const WEB = join(import.meta.dirname, '../../../dist/web');
const SETTLE_MS = 3_000;
const GAP_MS = 100;
const SENDS_PER_SECOND = 20;

const TARGETS = {
  seenRoundTrips: 5,
  sendsPerSecond: 2_000,
  crowdMs: 25,
  registerMs: 10,
  firstRegisterMs: 60,
  startMs: 800,
  startWithoutWebMs: 1_500,
  startMebibytes: 150,
  busyMebibytes: 300,
};

/**
 * The local service in its own process, beside an HTTP server that does nothing and beside durable puts: its start
 * time, its speed, and its memory after some minutes of twenty messages a second.
 */
export async function measureLocal(minutes: number): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'local-'));
  try {
    const [empty, putMs] = [await measureEmptyServer(), await measureDurablePutMs()];
    const starts = await measureStarts(folder);
    const service = await startLocal(folder, PORT);
    const afterStart = await settledMebibytes(service);
    await makeTeam(PORT);
    await service.stop();
    const registers = await measureRegisters(folder);
    return [
      atMost('an empty HTTP server: round trip, p50', empty.roundTripMs, ms),
      atMost('one durable put, p50', putMs, ms),
      beside(
        'from the start until it listens, web client built',
        starts.builtMs,
        TARGETS.startMs,
        empty.startMs,
      ),
      beside('the same, web client not built', starts.unbuiltMs, TARGETS.startWithoutWebMs, empty.startMs),
      atMost('memory after the start', afterStart, mebibytes, TARGETS.startMebibytes),
      beside(
        'POST /register, 155 people, p50',
        percentile(registers.later, 0.5),
        TARGETS.registerMs,
        empty.roundTripMs,
      ),
      beside('the first one after a start', registers.firstMs, TARGETS.firstRegisterMs, empty.roundTripMs),
      ...(await measureTraffic(folder, empty.roundTripMs, minutes)),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureEmptyServer(): Promise<{ startMs: number; roundTripMs: number }> {
  const server = await startEmptyServer();
  const client = new LeanClient(server.port);
  const calls = { method: 'GET', path: '/' };
  await timeCalls(client, { ...calls, count: 500 });
  const times = await timeCalls(client, { ...calls, count: 50, gapMs: GAP_MS });
  client.close();
  await server.stop();
  return { startMs: server.startMs, roundTripMs: percentile(times, 0.5) };
}

async function measureStarts(folder: string): Promise<{ builtMs: number; unbuiltMs: number }> {
  const start = async (): Promise<number> => {
    const service = await startLocal(folder, PORT);
    await service.stop();
    return service.startMs;
  };
  // Builds the web client, and fills the cache of compiled code.
  await start();
  const [built, unbuilt]: [number[], number[]] = [[], []];
  for (let n = 0; n < STARTS; n++) built.push(await start());
  for (let n = 0; n < STARTS; n++) {
    await rename(WEB, `${WEB}-before-${process.pid}`);
    unbuilt.push(await start());
    await rm(`${WEB}-before-${process.pid}`, { recursive: true });
  }
  return { builtMs: percentile(built, 0.5), unbuiltMs: percentile(unbuilt, 0.5) };
}

async function measureRegisters(folder: string): Promise<{ firstMs: number; later: number[] }> {
  const firsts: number[] = [];
  let later: number[] = [];
  for (let n = 0; n < STARTS; n++) {
    const service = await startLocal(folder, PORT);
    const owner = await signIn(PORT, OWNER);
    firsts.push(...(await timeCalls(owner, { ...REGISTER, count: 1 })));
    await timeCalls(owner, { ...REGISTER, count: 10 });
    later = await timeCalls(owner, { ...REGISTER, count: 20, gapMs: GAP_MS });
    owner.close();
    await service.stop();
  }
  return { firstMs: percentile(firsts, 0.5), later };
}

async function measureTraffic(folder: string, roundTripMs: number, minutes: number): Promise<Row[]> {
  await rm(folder, { recursive: true });
  const service = await startLocal(folder, PORT);
  const team = await makeTeam(PORT);
  await timeSends(team, { messages: 50, gapMs: 20, waiting: 1 });
  const alone = await timeSends(team, { messages: 100, gapMs: GAP_MS, waiting: 1 });
  await countSends(team, 2_000);
  const sendsPerSecond = await countSends(team, 5_000);
  const crowd = await timeSends(team, { messages: 10, gapMs: 1_500, waiting: 500 });
  const grown = await measureGrowth(service, team, minutes);
  for (const client of [team.owner, ...team.members]) client.close();
  await service.stop();
  const seenMs = percentile(alone.seen, 0.5);
  return [
    {
      what: 'send → seen by a waiting reader, p50',
      measured: `${ms(seenMs)}, ${(seenMs / roundTripMs).toFixed(1)} round trips`,
      budget: `≤ ${TARGETS.seenRoundTrips} round trips`,
      isMet: seenMs <= TARGETS.seenRoundTrips * roundTripMs,
    },
    {
      what: 'send → answer, p50',
      measured: `${ms(percentile(alone.acknowledged, 0.5))}, ${(percentile(alone.acknowledged, 0.5) / roundTripMs).toFixed(1)} round trips`,
      budget: '',
    },
    {
      what: 'sends of 8 senders',
      measured: `${sendsPerSecond.toFixed(0)}/s`,
      budget: `≥ ${TARGETS.sendsPerSecond}/s`,
      isMet: sendsPerSecond >= TARGETS.sendsPerSecond,
    },
    beside('send → seen by 500 readers, p50', percentile(crowd.seen, 0.5), TARGETS.crowdMs, roundTripMs),
    ...grown,
  ];
}

async function measureGrowth(service: Running, team: Team, minutes: number): Promise<Row[]> {
  const after: number[] = [];
  await sendSteadily(team, {
    perSecond: SENDS_PER_SECOND,
    minutes,
    onMinute: () => after.push(residentMebibytes(service.pid)),
  });
  const half = Math.floor(after.length / 2);
  const [first, second] = [mean(after.slice(0, half)), mean(after.slice(half))];
  return [
    atMost(
      `memory after ${minutes} minutes of ${SENDS_PER_SECOND} messages/s`,
      after.at(-1) ?? Number.NaN,
      mebibytes,
      TARGETS.busyMebibytes,
    ),
    {
      what: 'its growth from the first half of them to the second',
      measured: `${((second / first - 1) * 100).toFixed(0)} % (${after.map(Math.round).join(' ')})`,
      budget: '≤ 5 %',
      isMet: second <= first * 1.05,
    },
  ];
}

async function settledMebibytes(service: Running): Promise<number> {
  await pause(SETTLE_MS);
  return residentMebibytes(service.pid);
}

const ms = (value: number): string => `${value.toFixed(2)} ms`;
const mebibytes = (value: number): string => `${value.toFixed(0)} MiB`;

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const beside = (what: string, measuredMs: number, targetMs: number, besideMs: number): Row => ({
  what,
  measured: `${measuredMs.toFixed(0)} ms, ${(measuredMs / besideMs).toFixed(1)} × the empty server`,
  budget: `≤ ${targetMs} ms`,
  isMet: measuredMs <= targetMs,
});
