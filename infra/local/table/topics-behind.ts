import { setImmediate as nextTurn } from 'node:timers/promises';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { CapacityMeter } from '#shared/table/dynamo-table.ts';
import { type Key, prefixes } from '#shared/table/keys.ts';
import type { Query, Table, Write } from '#shared/table/table.ts';
import { unlessChanged } from '#shared/table/unless-changed.ts';
import type { Aside } from './aside.ts';

type Update = Extract<Write, { kind: 'update' }>;

/** What is still to be written to one partition. */
interface Behind {
  /** The newest write of each item that no batch has taken. */
  next: Map<string, Update>;
  /** The end of the batch that takes them, or else of the one under way. */
  done: Promise<void>;
}

/**
 * A table that acknowledges which message is the newest of a topic before it writes that. Such a write is derived from the
 * log, and the sweep repeats it after a crash. Of several that wait, only the last is made. What asks or changes the partition
 * of a topic waits for those that were acknowledged, so no reader finds less.
 */
export function writeTopicsBehind(table: Table, meter: CapacityMeter, aside: Aside): Table {
  const behind = new Map<string, Behind>();
  const after = async <Answer>(partitions: string[], act: () => Promise<Answer>): Promise<Answer> => {
    if (behind.size > 0) await Promise.all(partitions.map((pk) => behind.get(pk)?.done));
    return act();
  };
  const writeBatch = async (pk: string, one: Behind): Promise<void> => {
    // The answer goes first.
    await nextTurn();
    const writes = [...one.next.values()];
    one.next.clear();
    await aside(() => Promise.all(writes.map((write) => tryToWrite(table, write))));
    if (one.next.size === 0) behind.delete(pk);
  };
  const writeLater = (write: Update): void => {
    const { pk, sk } = write.key;
    const one = behind.get(pk) ?? { next: new Map(), done: Promise.resolve() };
    behind.set(pk, one);
    if (one.next.size === 0) one.done = one.done.then(() => writeBatch(pk, one));
    const waiting = one.next.get(sk);
    if (!waiting || newestIn(waiting) < newestIn(write)) one.next.set(sk, write);
  };
  return {
    find: (key, options) => after([key.pk], () => table.find(key, options)),
    findMany: (keys, options) => after(partitionsOf(keys), () => table.findMany(keys, options)),
    page: (query) => after(queried(query), () => table.page(query)),
    list: (query) => after(queried(query), () => table.list(query)),
    async write(write) {
      if (!isNewestOfTopic(write)) return after([keyOf(write).pk], () => table.write(write));
      meter({ read: 0, write: 1 });
      writeLater(write);
    },
    increment: (key, attribute, by, set) => after([key.pk], () => table.increment(key, attribute, by, set)),
    transact: (writes, token) => after(partitionsOf(writes.map(keyOf)), () => table.transact(writes, token)),
  };
}

const partitionsOf = (keys: Key[]): string[] => keys.map(({ pk }) => pk);

/** Topics are in no index. */
const queried = ({ index, partition }: Query): string[] => (index ? [] : [partition]);

const keyOf = (write: Write): Key => (write.kind === 'put' ? write.item : write.key);

const newestIn = ({ set }: Update): number => Number(set?.maxMessageId);

/** A write that a newer message makes needless: it only says which message is the newest. */
const isNewestOfTopic = (write: Write): write is Update =>
  write.kind === 'update' &&
  write.key.sk.startsWith(prefixes.topic) &&
  write.condition?.belowOrAbsent?.maxMessageId === write.set?.maxMessageId &&
  Object.keys(write.set ?? {}).join() === 'topic,maxMessageId' &&
  !write.remove &&
  !write.add;

async function tryToWrite(table: Table, write: Update): Promise<void> {
  try {
    await unlessChanged(() => table.write(write));
  } catch (failure) {
    logLine('warn', 'The newest message of a topic could not be recorded', describeFailure(failure));
  }
}
