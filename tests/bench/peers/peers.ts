import { readFile } from 'node:fs/promises';
import { percentile, type Row } from '../report.ts';
import { type Crowd, fill, gatherCrowd, type Size } from './crowd.ts';
import { type DurablePuts, measureDurablePuts } from './durable-puts.ts';
import { startLocalPeer } from './local-peer.ts';
import { countSends, type Seen, timeRegisters, timeSends } from './loops.ts';
import type { Peer } from './peer-client.ts';

const PEOPLE = 50;
const MESSAGES = 100;
const GAP_MS = 100;
const CROWDS = [200, 500];
const CROWD_MESSAGES = 10;
const CROWD_GAP_MS = 1_500;
const THROUGHPUT_MS = 4_000;

/** The targets of the local service. */
const TARGETS = { seenMs: 10, seenPuts: 5, acknowledgedMs: 6, registerMs: 30, sendsShare: 0.5, crowdMs: 50 };

export interface PeersOptions {
  /** A JSON file with a list of other servers: `name`, `url`, and `email` and `key` of an administrator. */
  peersFile: string | undefined;
  size: Size;
}

interface Measured {
  name: string;
  alone: Seen;
  sendsPerSecond: number;
  crowds: { readers: number; seen: Seen }[];
  register: { times: number[]; perSecond: number };
}

/**
 * The same loops against the local service and against other servers of this protocol, one after another, beside
 * durable puts.
 */
export async function measurePeers({ peersFile, size }: PeersOptions): Promise<Row[]> {
  const others: Peer[] = peersFile === undefined ? [] : JSON.parse(await readFile(peersFile, 'utf8'));
  const before = await measureDurablePuts();
  const local = await startLocalPeer();
  const measured = [await measure(local, size).finally(() => local.stop())];
  for (const peer of others) measured.push(await measure(peer, size));
  const after = await measureDurablePuts();
  const puts = {
    p50Ms: (before.p50Ms + after.p50Ms) / 2,
    perSecond: (before.perSecond + after.perSecond) / 2,
  };
  return [
    describePuts(puts),
    ...measured.flatMap((one, n) => describe(one, puts, n === 0 ? undefined : measured[0])),
  ];
}

async function measure(peer: Peer, size: Size): Promise<Measured> {
  const crowd = await gatherCrowd(peer, PEOPLE);
  await timeSends(crowd, { messages: 20, gapMs: GAP_MS, waiting: 1 });
  const alone = await timeSends(crowd, { messages: MESSAGES, gapMs: GAP_MS, waiting: 1 });
  const sendsPerSecond = await countSends(crowd, THROUGHPUT_MS);
  const crowds: Measured['crowds'] = [];
  for (const readers of CROWDS) crowds.push({ readers, seen: await timeCrowd(crowd, readers) });
  await fill(crowd, size);
  return { name: peer.name, alone, sendsPerSecond, crowds, register: await timeRegisters(crowd) };
}

const timeCrowd = (crowd: Crowd, waiting: number): Promise<Seen> =>
  timeSends(crowd, { messages: CROWD_MESSAGES, gapMs: CROWD_GAP_MS, waiting });

const describePuts = ({ p50Ms, perSecond }: DurablePuts): Row => ({
  what: 'one durable put, p50; with 8 callers',
  measured: `${p50Ms.toFixed(2)} ms; ${perSecond.toFixed(0)}/s`,
  budget: 'this machine',
});

/** The rows of one server. Only the local service, which has no `local` beside it, has targets. */
function describe(one: Measured, puts: DurablePuts, local: Measured | undefined): Row[] {
  const { name, alone, sendsPerSecond, crowds, register } = one;
  const timeRow = (what: string, times: number[], ofLocal: number[] | undefined, targetMs: number): Row => {
    const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
    const against = ofLocal
      ? ratio(percentile(ofLocal, 0.5) / p50, 'local')
      : ratio(p50 / puts.p50Ms, 'puts');
    return {
      what: `${name}: ${what}, p50/p95`,
      measured: `${p50.toFixed(1)}/${p95.toFixed(1)} ms, ${against}`,
      budget: local ? '' : `p50 ≤ ${targetMs} ms`,
      ...(!local && { isMet: p50 <= targetMs }),
    };
  };
  const seenPuts = percentile(alone.seen, 0.5) / puts.p50Ms;
  const share = sendsPerSecond / puts.perSecond;
  return [
    timeRow('send → seen, 1 reader', alone.seen, local?.alone.seen, TARGETS.seenMs),
    ...(local
      ? []
      : [
          {
            what: `${name}: the same as durable puts`,
            measured: `${seenPuts.toFixed(1)} puts`,
            budget: `≤ ${TARGETS.seenPuts}`,
            isMet: seenPuts <= TARGETS.seenPuts,
          },
        ]),
    timeRow('send → answer', alone.acknowledged, local?.alone.acknowledged, TARGETS.acknowledgedMs),
    {
      what: `${name}: sends of 8 senders`,
      measured: `${sendsPerSecond.toFixed(0)}/s, ${local ? ratio(local.sendsPerSecond / sendsPerSecond, 'local') : ratio(share, 'puts')}`,
      budget: local ? '' : `≥ ${TARGETS.sendsShare} × puts`,
      ...(!local && { isMet: share >= TARGETS.sendsShare }),
    },
    ...crowds.flatMap(({ readers, seen }, n) => [
      timeRow(`send → seen, ${readers} readers`, seen.seen, local?.crowds[n]?.seen.seen, TARGETS.crowdMs),
      timeRow(
        `send → answer, ${readers} readers`,
        seen.acknowledged,
        local?.crowds[n]?.seen.acknowledged,
        TARGETS.acknowledgedMs,
      ),
    ]),
    timeRow('register', register.times, local?.register.times, TARGETS.registerMs),
    {
      what: `${name}: registers of 4 callers`,
      measured: `${register.perSecond.toFixed(1)}/s`,
      budget: '',
    },
  ];
}

const ratio = (value: number, of: 'local' | 'puts'): string =>
  of === 'puts' ? `${value.toFixed(1)} puts` : `the local service takes ${value.toFixed(2)} ×`;
