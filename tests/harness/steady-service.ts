import { createHash } from 'node:crypto';
import type { Around } from '#infra/local/around.ts';
import { createStoppableClock, type StoppableClock } from '#infra/local/stoppable-clock.ts';
import { type Ids, randomIds } from '#shared/runtime/ids.ts';
import { inFunction } from './privilege/least-privilege.ts';
import { startTestService, type TestService } from './service.ts';

/** Far ahead, so that no database deletes new items as expired. */
const START_MS = Date.UTC(2040, 0, 2, 9);

const counter = (): (() => number) => {
  let count = 0;
  return () => ++count;
};

/** As many bytes as asked for, up to 32, that are the same for the same name and number. */
export const numberedBytes =
  (name: string, nextNumber: () => number) =>
  (count: number): Buffer =>
    createHash('sha256').update(`${name} ${nextNumber()}`).digest().subarray(0, count);

/** The same ids in the same order for each service, except ids of writes, which no client sees. */
function numberedIds(): Ids {
  const uuidBytes = numberedBytes('uuid', counter());
  return {
    uuid() {
      const bytes = uuidBytes(16);
      // Version 4 of the layout that RFC 9562 names, as real ones are.
      bytes[6] = (bytes[6]! & 0x0f) | 0x40;
      bytes[8] = (bytes[8]! & 0x3f) | 0x80;
      return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    },
    writeId: () => randomIds.writeId(),
    fraction: () => 0.5,
  };
}

/** A clock that stops except for sleeping: after a sleep of a second it is a second later. */
export function stillClock(): StoppableClock {
  const clock = createStoppableClock();
  const { sleep } = clock;
  let nowMs = START_MS;
  clock.nowMs = () => nowMs;
  clock.sleep = async (delayMs, signal) => {
    const wakesAtMs = nowMs + delayMs;
    await sleep(delayMs, signal);
    if (!signal?.aborted) nowMs = Math.max(nowMs, wakesAtMs);
  };
  return clock;
}

const workers = new Set([
  'deliver-scheduled-message',
  'export-data',
  'notify-devices',
  'preview-links',
  'run-job',
]);

/** Runs one function at a time, and an operation once the workers have done its earlier jobs. */
function oneAtATime(settle: () => Promise<void> | undefined): Around {
  let last: Promise<unknown> = Promise.resolve();
  return async (name, run) => {
    if (!workers.has(name)) await settle();
    const turn = last.then(() => inFunction(name, run));
    last = turn.catch(() => undefined);
    return turn;
  };
}

/** A service that does the same whenever and wherever it gets the same requests one after another. */
export async function startSteadyService(): Promise<TestService> {
  let service: TestService | undefined;
  service = await startTestService(
    {},
    {
      around: oneAtATime(() => service?.settle()),
      clock: stillClock(),
      ids: numberedIds(),
      publicUrl: 'https://chat.example.com',
      secret: 'the secret of a service that does the same each time',
    },
  );
  return service;
}
