import { composeBotDirect } from '#shared/actions/messages/bot-message.ts';
import type { Change } from '#shared/domain/change.ts';
import { packIds } from '#shared/domain/reading/id-list.ts';
import { moveLowWaterMark } from '#shared/log/head.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findEntry, readCounter } from '#shared/store/log/log.ts';
import { type LogEntry, toItem } from '#shared/store/log/log-entry.ts';
import { logKeys } from '#shared/table/keys/log.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Table } from '#shared/table/table.ts';
import type { ReceivedEvent } from './client.ts';
import { tableWith } from './table/table-with.ts';

const NOTIFICATION_BOT_ID = 1;
const WRITES_PER_TRANSACTION = 100;

/** A change that is one event for one user, with a number. */
export const eventFor = (userId: number, ...numbers: number[]): Change => ({
  events: numbers.map((number) => ({
    audience: { kind: 'users', userIds: [userId] },
    payload: {
      type: 'update_message_flags',
      op: 'add',
      operation: 'add',
      flag: 'read',
      ids: packIds([number]),
      all: false,
    },
  })),
});

/** The numbers of such events, in the order in which they came. */
export const numbersOf = (events: ReceivedEvent[]): number[] =>
  events.filter(({ type }) => type === 'update_message_flags').map(({ messages }) => messages[0]);

/** A change that is one direct message to one user. */
export const messageFor = async (services: Services, userId: number, content: string): Promise<Change> => ({
  message: await composeBotDirect(services, NOTIFICATION_BOT_ID, userId, content),
});

/** Takes a position and writes nothing there, like a writer that dies. */
export const takePosition = ({ table }: Services): Promise<number> =>
  table.increment(organizationKeys.counter('log'), 'position');

/** As if the log had been written and read up to a position. */
export async function moveLogTo(services: Services, position: number): Promise<void> {
  await services.table.write({ kind: 'update', key: organizationKeys.counter('log'), set: { position } });
  await moveLowWaterMark(services, position);
}

/** Writes entries where they belong, many at once, and counts their positions. */
export async function writeEntries(services: Services, entries: LogEntry[]): Promise<void> {
  for (let start = 0; start < entries.length; start += WRITES_PER_TRANSACTION) {
    const writes = entries
      .slice(start, start + WRITES_PER_TRANSACTION)
      .map((entry) => ({ kind: 'put' as const, item: toItem(entry) }));
    await services.table.transact(writes, services.ids.writeId());
  }
  const position = entries.at(-1)?.position ?? 0;
  await services.table.write({ kind: 'update', key: organizationKeys.counter('log'), set: { position } });
}

/**
 * As if messages had been sent so many times, in turns: hundreds of calls would take too long. Later real messages
 * update the summaries of topics and conversations.
 */
export async function sendAgain(services: Services, messageIds: number[], times: number): Promise<number[]> {
  const { table } = services;
  const sent = await Promise.all(messageIds.map((messageId) => findEntry(table, messageId)));
  const start = (await readCounter(table)) + 1;
  const copies = Array.from({ length: times }, () => sent)
    .flat()
    .map((entry, index) => ({ ...(entry as LogEntry), position: start + index, events: [] }));
  await writeEntries(services, copies);
  return copies.map(({ position }) => position);
}

/** As DynamoDB does when their time to live has passed. */
export async function expireEntries({ table }: Services, from: number, to: number): Promise<void> {
  for (let position = from; position <= to; position++)
    await table.write({ kind: 'delete', key: logKeys.entry(position) });
}

/** The same services, with a table on which some calls go another way. */
export function withCalls(services: Services, calls: (table: Table) => Partial<Table>): Services {
  return { ...services, table: tableWith(services.table, calls(services.table)) };
}
