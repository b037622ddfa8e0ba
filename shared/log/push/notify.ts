import { listActive } from '#shared/domain/push/device.ts';
import { MAX_REMOVED_IDS, messagePayload, removalPayload } from '#shared/domain/push/payloads.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import { type Relay, RelayFailure } from '#shared/runtime/relay.ts';
import type { Services } from '#shared/runtime/services.ts';
import type { LogEntry } from '#shared/store/log-entry.ts';
import { listMessagesById } from '#shared/store/messages.ts';
import { getOrganization } from '#shared/store/organization.ts';
import { getPushDevices, listPushUserIds } from '#shared/store/push-devices.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { readHead } from '../head.ts';
import { LogExpired, readRun } from '../read.ts';
import { deliver } from './deliver.ts';
import { advanceNotifier, type Claim, claimNotifier, releaseNotifier } from './notifier.ts';
import { type Call, callsOf, type Reading, readingsOf, vanishingsOf } from './readings.ts';
import { listPushes, lossesOf, type Push, type Tellable } from './receivers.ts';

const ENTRIES_AT_ONCE = 50;
/** Nobody wants to be told of what was new before; by then they have looked themselves. */
const MAX_AGE_SECONDS = 3600;
/** Of so many messages a user's devices are told that they were read. */
const MAX_PUSHED_IDS = 1_000;
/** A reader may be told of an entry sooner than it can read it. */
const PATIENCE = { attempts: 8, pauseMs: 200 };

/**
 * Notifies devices of what the log gained since the last time, at least up to a position where one is given. Each
 * message is told at least once as long as the relay serves: what was told and not noted down is told again.
 */
export async function notifyDevices(services: Services, upTo = 0): Promise<void> {
  const { relay } = services;
  if (!relay) return;
  for (let isDone = false; !isDone; ) {
    const claim = await claimNotifier(services);
    if (!claim) return;
    try {
      await work(services, relay, claim, upTo);
    } catch (failure) {
      if (!(failure instanceof RelayFailure)) throw failure;
      logLine('warn', 'Devices could not be notified; they will be later', describeFailure(failure));
      return;
    } finally {
      await releaseNotifier(services, claim);
    }
    // Whoever came while the work was claimed has gone again.
    isDone = (await readRun(services, claim.position)).length === 0;
  }
}

async function work(services: Services, relay: Relay, claim: Claim, upTo: number): Promise<void> {
  for (let attempt = 1; attempt <= PATIENCE.attempts; ) {
    const entries = (await readNext(services, claim)).slice(0, ENTRIES_AT_ONCE);
    const end = entries.at(-1)?.position;
    if (end !== undefined) {
      await notifyOf(services, relay, entries);
      claim.position = end;
      if (!(await advanceNotifier(services, claim, end))) return;
      continue;
    }
    if (claim.position >= upTo) return;
    await services.clock.sleep(PATIENCE.pauseMs);
    attempt++;
  }
}

/** The entries that follow; where they have expired, nobody needs to hear of them. */
async function readNext(services: Services, claim: Claim): Promise<LogEntry[]> {
  try {
    return await readRun(services, claim.position);
  } catch (failure) {
    if (!(failure instanceof LogExpired)) throw failure;
    claim.position = (await readHead(services)).position;
    return [];
  }
}

async function notifyOf(services: Services, relay: Relay, entries: LogEntry[]): Promise<void> {
  const oldest = toSeconds(services.clock.nowMs()) - MAX_AGE_SECONDS;
  const messages = entries.flatMap(({ message, position }): Tellable[] =>
    message && message.atSeconds >= oldest ? [{ message: { ...message, messageId: position } }] : [],
  );
  const calls = entries.filter(({ atMs }) => toSeconds(atMs) >= oldest).flatMap(callsOf);
  const readings = entries.flatMap(readingsOf);
  const vanishings = entries.flatMap(vanishingsOf);
  if (messages.length + calls.length + readings.length + vanishings.length === 0) return;
  const pushUserIds = new Set(await listPushUserIds(services.table));
  readings.push(...(await lossesOf(services.table, vanishings, pushUserIds)));
  messages.push(...(await listCalling(services.table, calls, messages)));
  await notifyOfMessages(services, relay, await listPushes(services, messages, pushUserIds));
  const byReader = Map.groupBy(
    readings.filter(({ userId }) => pushUserIds.has(userId)),
    ({ userId }) => userId,
  );
  for (const [userId, own] of byReader) await notifyOfReading(services, relay, userId, own);
}

/** The messages as they are now. What was sent in the same batch, or edited twice, is told once. */
async function listCalling(table: Table, calls: Call[], sent: Tellable[]): Promise<Tellable[]> {
  const befores = new Map(calls.toReversed().map(({ messageId, before }) => [messageId, before]));
  for (const { message } of sent) befores.delete(message.messageId);
  const messages = await listMessagesById(table, [...befores.keys()]);
  return messages.map((message) => ({ message, before: befores.get(message.messageId) ?? {} }));
}

async function notifyOfMessages(services: Services, relay: Relay, pushes: Push[]): Promise<void> {
  if (pushes.length === 0) return;
  const organization = await getOrganization(services.table);
  const notifications = pushes.map(({ userId, message, devices }) => ({
    userId,
    devices,
    payload: messagePayload(organization, userId, message),
  }));
  await deliver(services, relay, organization.uuid, notifications);
  for (const [userId, own] of Map.groupBy(pushes, (push) => push.userId)) {
    const shown = own[0]?.pushedIds ?? [];
    await storePushed(services, userId, [...shown, ...own.map(({ message }) => message.messageId)]);
  }
}

/** Devices take away what was read elsewhere. */
async function notifyOfReading(
  services: Services,
  relay: Relay,
  userId: number,
  readings: Reading[],
): Promise<void> {
  const item = await services.table.find(keys.pushedMessages(userId));
  const shown = [...((item?.messageIds as Set<number> | undefined) ?? [])];
  const isRead = (id: number): boolean => readings.some((reading) => reading.isRead(id));
  const read = shown.filter(isRead).sort((a, b) => a - b);
  if (read.length === 0) return;
  const devices = listActive(await getPushDevices(services.table, userId));
  const organization = await getOrganization(services.table);
  const notifications = divide(read).map((ids) => ({
    userId,
    devices,
    payload: removalPayload(organization, userId, ids),
  }));
  await deliver(services, relay, organization.uuid, notifications);
  await storePushed(
    services,
    userId,
    shown.filter((id) => !isRead(id)),
  );
}

const divide = (ids: number[]): number[][] =>
  Array.from({ length: Math.ceil(ids.length / MAX_REMOVED_IDS) }, (_, n) =>
    ids.slice(n * MAX_REMOVED_IDS, (n + 1) * MAX_REMOVED_IDS),
  );

/** Only the worker writes it, and there is one at a time. */
async function storePushed({ table }: Services, userId: number, messageIds: number[]): Promise<void> {
  const kept = messageIds.sort((a, b) => a - b).slice(-MAX_PUSHED_IDS);
  const key = keys.pushedMessages(userId);
  if (kept.length === 0) await table.write({ kind: 'delete', key });
  else await table.write({ kind: 'put', item: { ...key, messageIds: new Set(kept) } });
}
