import type { Cache, Run } from './cache.ts';
import type { Narrow } from './narrow.ts';
import type { State } from './state.ts';
import type { Snapshot } from './wire.ts';
import type { Message } from './wire-messages.ts';

/** One conversation as a device keeps it. */
export interface KeptRun {
  key: string;
  narrow: Narrow;
  messages: Message[];
  hasOldest: boolean;
  hasNewest: boolean;
  /** Milliseconds since 1970. */
  keptAtMs: number;
}

const MOST_MESSAGES = 100;

/** What opens a session's queue is of no use later, and is not left on the device. */
const SECRETS = ['queue_id', 'event_socket', 'last_event_id'];

/** The parts of a state that changed since another, by name. */
export function changedParts(before: State | undefined, now: State): [name: string, part: unknown][] {
  const old: Partial<Snapshot> & Record<string, unknown> = { ...before?.server };
  const parts = Object.entries(now.server).filter(([name, part]) => old[name] !== part);
  const calls: [string, unknown][] = before?.calls === now.calls ? [] : [['calls', now.calls]];
  return [...parts.map(([name, part]): [string, unknown] => [`server ${name}`, part]), ...calls].filter(
    ([name]) => !SECRETS.some((secret) => name === `server ${secret}`),
  );
}

/** The state of the parts, if they are a whole one. */
export function stateOfParts(parts: ReadonlyMap<string, unknown>): State | undefined {
  const calls = parts.get('calls') as State['calls'] | undefined;
  // Unchecked, since the client itself kept them; the id of the user shows that there are any.
  const server = Object.fromEntries(
    [...parts].filter(([name]) => name.startsWith('server ')).map(([name, part]) => [name.slice(7), part]),
  ) as unknown as Snapshot;
  return calls && server.user_id !== undefined ? { server, calls } : undefined;
}

/** A run with the newest of its messages. */
export function keptRun(cache: Cache, key: string, run: Run, keptAtMs: number): KeptRun {
  const ids = run.ids.slice(-MOST_MESSAGES);
  const messages = ids.map((id) => cache.byId.get(id)).filter((message) => message !== undefined);
  const isCut = ids.length < run.ids.length;
  const { narrow, hasOldest, hasNewest } = run;
  return { key, narrow, messages, hasOldest: hasOldest && !isCut, hasNewest, keptAtMs };
}

/** The keys of the runs that changed since another cache, or whose messages did. */
export function changedRuns(before: Cache | undefined, now: Cache): string[] {
  if (before?.runs === now.runs && before.byId === now.byId) return [];
  return [...now.runs.keys()].filter((key) => {
    const [old, run] = [before?.runs.get(key), now.runs.get(key)];
    if (old !== run) return true;
    const ids = run?.ids.slice(-MOST_MESSAGES) ?? [];
    return ids.some((id) => before?.byId.get(id) !== now.byId.get(id));
  });
}

/** The cache of kept runs; the one that was kept last counts as used last. */
export function cacheOfKept(runs: KeptRun[], topics: Cache['topics']): Cache {
  const byId = new Map<number, Message>();
  const ordered = runs.toSorted((run, other) => run.keptAtMs - other.keptAtMs);
  for (const { messages } of ordered) for (const message of messages) byId.set(message.id, message);
  const entries = ordered.map(({ key, narrow, messages, hasOldest, hasNewest }): [string, Run] => [
    key,
    { narrow, ids: messages.map(({ id }) => id), hasOldest, hasNewest },
  ]);
  return { byId, runs: new Map(entries), topics };
}
