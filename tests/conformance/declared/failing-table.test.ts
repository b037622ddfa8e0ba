import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import { sweep } from '#functions/workers/sweep.ts';
import { workerOf } from '#infra/local/workers.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { jobTypes } from '#shared/domain/jobs.ts';
import { notifyDevices } from '#shared/push/notify.ts';
import type { JobNotice, Services } from '#shared/runtime/services.ts';
import { type Failing, failsAt, READS, type Verb, WRITES } from '#tests/harness/failing-table.ts';
import { takeLogged } from '#tests/harness/logged-lines.ts';
import { startTestService } from '#tests/harness/service.ts';
import { toGatewayEvent } from '../requests.ts';
import { samples } from '../samples/samples.ts';
import { createWorld, noDevices, restoreCaller } from '../world.ts';
import { otherJobs } from './other-jobs.ts';

type Name = keyof typeof endpoints;
const registry = Object.entries(endpoints) as [Name, AnyEndpoint][];

const service = await startTestService(noDevices);
const world = await createWorld(service);
/** The jobs that ran with failures, and the failures that they did not report. */
const jobs = { types: new Set<string>(), untold: [] as string[] };

const { bus } = service.services;
// A job is a worker's, and not of the function that left it.
const byWorker = AsyncLocalStorage.snapshot();
const publish = bus.publish.bind(bus);
bus.publish = async (notices) => {
  for (const notice of notices)
    if (!jobs.types.has(notice.type)) {
      jobs.types.add(notice.type);
      jobs.untold.push(...(await byWorker(listUntold, notice.type, [...WRITES, ...READS], doJob(notice))));
    }
  await publish(notices);
};

const doJob = (notice: JobNotice) => (services: Services) => workerOf(notice.type).work(services, notice);

/** Repeats something, each time with another failure, and lists the failures that nobody reports. */
async function listUntold(
  what: string,
  verbs: readonly Verb[],
  act: (services: Services) => Promise<unknown>,
): Promise<string[]> {
  const untold: string[] = [];
  let failing: Failing;
  let nth = 0;
  do {
    failing = failsAt(service.services, ++nth, verbs);
    takeLogged();
    const isThrown = await act(failing.services).then(
      () => false,
      () => true,
    );
    const isLogged = takeLogged().some(({ level }) => level !== 'info');
    if (failing.hasFailed() && !isThrown && !isLogged) untold.push(`${what}, call ${nth}`);
  } while (failing.hasFailed());
  return untold;
}

describe('Any failing call of the table is reported to the caller or the log', () => {
  test.each(registry)('%s', async (name, endpoint) => {
    const params = await samples[name](world);
    await service.settle();
    let attempts = 0;
    const untold = await listUntold(name, endpoint.uses.table === 'write' ? WRITES : READS, (services) => {
      const event = toGatewayEvent(endpoint, params, world.caller.authorization);
      if (endpoint.creates) event.headers['idempotency-key'] = `${name} ${++attempts}`;
      return lambda(endpoint, () => services)(event);
    });
    await restoreCaller(world);
    takeLogged();
    expect(untold).toEqual([]);
  });

  test.each(Object.entries(otherJobs))('%s', async (_types, act) => {
    await act(world);
    await service.settle();
    await restoreCaller(world);
  });

  test('A job of each type that a crash left', async () => {
    // It would take the organization away from the others; it has a test of its own.
    const types = jobTypes.filter((type) => type !== 'erase-organization');
    expect(types.filter((type) => !jobs.types.has(type))).toEqual([]);
    expect(jobs.untold).toEqual([]);
  });

  test.each<[string, (services: Services) => Promise<void>]>([
    ['the sweep', sweep],
    ['the notifier', (services) => notifyDevices(services)],
  ])('%s', async (what, act) => {
    expect(await listUntold(what, [...WRITES, ...READS], act)).toEqual([]);
  });
});
