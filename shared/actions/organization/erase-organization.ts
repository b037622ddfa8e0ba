import { toSeconds } from '#shared/runtime/clock.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import { logLine } from '#shared/runtime/log.ts';
import type { JobNotice, Services } from '#shared/runtime/services.ts';
import { type Closure, findClosure, rememberState } from '#shared/store/organization/organization.ts';
import { folders } from '#shared/table/areas.ts';
import type { Key } from '#shared/table/keys/key.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { ConditionFailed } from '#shared/table/table.ts';

/** Wakes the worker that erases. There is no job in the table, because everything in it is deleted. */
const NOTICE: JobNotice = { jobId: 'erasure', type: 'erase-organization' };
/**
 * Between the beginning and the first removal. Longer than any function runs, so that nothing that began before the end of
 * the organization writes after it.
 */
const GRACE_SECONDS = 20 * 60;
/** Lambda allows 15 minutes; the page under way must end within them. */
const RUN_MS = 4 * 60_000;

/**
 * Begins the deletion if its time has come, and has it continued until nothing is left. A conditional write decides between
 * the beginning and a reactivation at the same moment.
 */
export async function tendErasure(services: Services, closure: Closure): Promise<void> {
  const nowSeconds = toSeconds(services.clock.nowMs());
  if (closure.erasingSinceSeconds === undefined) await begin(services, closure, nowSeconds);
  else if (isUnderWay(closure, nowSeconds)) await services.bus.publish([NOTICE]);
}

async function begin(
  services: Services,
  { atSeconds, eraseAtSeconds }: Closure,
  nowSeconds: number,
): Promise<void> {
  if (eraseAtSeconds === undefined || nowSeconds < eraseAtSeconds) return;
  try {
    await services.table.write({
      kind: 'update',
      key: organizationKeys.closure(),
      set: { erasingSinceSeconds: nowSeconds },
      condition: {
        exists: true,
        equals: { atSeconds, eraseAtSeconds },
        absent: ['erasingSinceSeconds', 'restore'],
      },
    });
  } catch (failure) {
    // Reactivated, or another sweep has begun it.
    if (failure instanceof ConditionFailed) return;
    throw failure;
  }
  rememberState(services, 'deleted');
  logLine('info', 'The deletion of the organization has begun');
}

const isUnderWay = (
  { erasingSinceSeconds, erasedAtSeconds, restore }: Closure,
  nowSeconds: number,
): boolean =>
  erasingSinceSeconds !== undefined &&
  nowSeconds >= erasingSinceSeconds + GRACE_SECONDS &&
  erasedAtSeconds === undefined &&
  restore === undefined;

/**
 * Removes files and items for some minutes, and then starts another run. Removed things are not found again, so no
 * run depends on the place of an earlier one, and runs in parallel are harmless. The item of the deactivation stays as a
 * tombstone: requests are refused by it. It is marked after a pass that has found nothing else.
 */
export async function eraseOrganization(services: Services): Promise<void> {
  const untilMs = services.clock.nowMs() + RUN_MS;
  const closure = await findClosure(services.table);
  if (!closure || !isUnderWay(closure, toSeconds(services.clock.nowMs()))) return;
  const run: Run = { services, mayContinue: () => mayContinue(services, untilMs) };
  if ((await removeFiles(run)) && (await removeItems(run))) await end(services, closure);
  else if (await isStillWanted(services)) await services.bus.publish([NOTICE]);
}

interface Run {
  services: Services;
  /** Whether there is time for another page, and no restore has begun. */
  mayContinue(): Promise<boolean>;
}

const mayContinue = async (services: Services, untilMs: number): Promise<boolean> =>
  services.clock.nowMs() < untilMs && (await isStillWanted(services));

async function isStillWanted({ table, clock }: Services): Promise<boolean> {
  const closure = await findClosure(table);
  return closure !== undefined && isUnderWay(closure, toSeconds(clock.nowMs()));
}

/** Whether all files are gone. */
async function removeFiles(run: Run): Promise<boolean> {
  for (const folder of folders) {
    let hasMore = true;
    while (hasMore) {
      if (!(await run.mayContinue())) return false;
      hasMore = await run.services.files.clear(folder);
    }
  }
  return true;
}

/** Whether all items are gone except for the tombstone. */
async function removeItems(run: Run): Promise<boolean> {
  for (;;) {
    const removed = await removeOnce(run);
    if (removed === 0) return true;
    if (removed === undefined) return false;
  }
}

/** One pass through the table: the number of removed items; undefined if the run ended before. */
async function removeOnce(run: Run): Promise<number | undefined> {
  const { table } = run.services;
  let removed = 0;
  let after: Key | undefined;
  do {
    if (!(await run.mayContinue())) return undefined;
    const { keys, next } = await table.scanKeys(after);
    const others = keys.filter((key) => !isTombstone(key));
    await mapConcurrently(others, (key) => table.write({ kind: 'delete', key }));
    removed += others.length;
    after = next;
  } while (after);
  return removed;
}

function isTombstone({ pk, sk }: Key): boolean {
  const tombstone = organizationKeys.closure();
  return pk === tombstone.pk && sk === tombstone.sk;
}

async function end({ table, clock }: Services, { erasingSinceSeconds }: Closure): Promise<void> {
  try {
    await table.write({
      kind: 'update',
      key: organizationKeys.closure(),
      set: { erasedAtSeconds: toSeconds(clock.nowMs()) },
      remove: ['byUserId'],
      condition: { equals: { erasingSinceSeconds }, absent: ['erasedAtSeconds', 'restore'] },
    });
  } catch (failure) {
    // Another run has ended it, or a restore has begun.
    if (failure instanceof ConditionFailed) return;
    throw failure;
  }
  logLine('info', 'The data of the organization has been erased');
}
