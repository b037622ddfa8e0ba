import { chunksOf } from '#shared/domain/chunks.ts';
import { listActive } from '#shared/domain/push/device.ts';
import { MAX_REMOVED_IDS, messagePayload, removalPayload } from '#shared/domain/push/payloads.ts';
import { followLog } from '#shared/log/follow.ts';
import { type Call, callsOf, type Reading, readingsOf, vanishingsOf } from '#shared/log/readings.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import { type Relay, RelayFailure } from '#shared/runtime/relay.ts';
import type { Services } from '#shared/runtime/services.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';
import { listMessagesById } from '#shared/store/messages/messages.ts';
import { getOrganization, isDeleted } from '#shared/store/organization/organization.ts';
import { getPushDevices, listPushUserIds } from '#shared/store/push/push-devices.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Table } from '#shared/table/table.ts';
import { deliver } from './deliver.ts';
import { notifierPlace } from './notifier.ts';
import { listPushes, lossesOf, type Push, type Tellable } from './receivers.ts';

const ENTRIES_AT_ONCE = 50;
/** Older messages are not notified: by then people have looked themselves. */
const MAX_AGE_SECONDS = 3600;
/** How many notified messages are remembered per user, to remove their notifications after reading. */
const MAX_PUSHED_IDS = 1_000;

/**
 * Sends notifications for new log entries, at least up to a position if one is given. Each message is
 * notified at least once while the relay works: work that was not recorded is repeated.
 */
export async function notifyDevices(services: Services, upTo = 0): Promise<void> {
  const { relay } = services;
  if (!relay || (await isDeleted(services))) return;
  const take = (entries: LogEntry[]) => notifyOf(services, relay, entries);
  try {
    await followLog(services, notifierPlace(services), { upTo, entriesAtOnce: ENTRIES_AT_ONCE, take });
  } catch (failure) {
    if (!(failure instanceof RelayFailure)) throw failure;
    logLine('warn', 'Devices could not be notified; they will be later', describeFailure(failure));
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

/** The messages in their present state. Messages sent in the same batch, or edited twice, appear once. */
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

/** Removes notifications of messages that were read elsewhere. */
async function notifyOfReading(
  services: Services,
  relay: Relay,
  userId: number,
  readings: Reading[],
): Promise<void> {
  const item = await services.table.find(userKeys.pushedMessages(userId));
  const shown = [...((item?.messageIds as Set<number> | undefined) ?? [])];
  const isRead = (id: number): boolean => readings.some((reading) => reading.isRead(id));
  const read = shown.filter(isRead).sort((a, b) => a - b);
  if (read.length === 0) return;
  const devices = listActive(await getPushDevices(services.table, userId));
  const organization = await getOrganization(services.table);
  const notifications = chunksOf(read, MAX_REMOVED_IDS).map((ids) => ({
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

/** Unconditional, because there is only one worker at a time. */
async function storePushed({ table }: Services, userId: number, messageIds: number[]): Promise<void> {
  const kept = messageIds.sort((a, b) => a - b).slice(-MAX_PUSHED_IDS);
  const key = userKeys.pushedMessages(userId);
  if (kept.length === 0) await table.write({ kind: 'delete', key });
  else await table.write({ kind: 'put', item: { ...key, messageIds: new Set(kept) } });
}
