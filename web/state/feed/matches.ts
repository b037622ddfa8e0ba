import type { Cache } from '../cache.ts';
import { shows } from '../narrow.ts';
import type { Snapshot } from '../wire.ts';
import type { Message } from '../wire-messages.ts';

/** The service's answer about the messages that a narrow shows, by id. */
export type Matches = Record<string, { match_content?: string; match_subject?: string }>;

/** The runs that reach to the newest and of which only the service knows whether they show a new message, by key. */
export const undecidedRuns = (cache: Cache, message: Message, viewer: Snapshot): string[] =>
  [...cache.runs]
    .filter(([, run]) => run.hasNewest && shows(run.narrow, message, viewer) === undefined)
    .map(([key]) => key);

/** Adds new messages that the service found to match to the end of a run. */
export function addMatches(cache: Cache, key: string, matches: Matches): Cache {
  const run = cache.runs.get(key);
  const found = Object.entries(matches).filter(([id]) => cache.byId.has(Number(id)));
  if (!run?.hasNewest || found.length === 0) return cache;
  const byId = new Map(cache.byId);
  for (const [id, match] of found) {
    const message = byId.get(Number(id));
    if (message) byId.set(message.id, { ...message, ...match });
  }
  const ids = [...new Set([...run.ids, ...found.map(([id]) => Number(id))])].sort((a, b) => a - b);
  return { ...cache, byId, runs: new Map(cache.runs).set(key, { ...run, ids }) };
}

/** Marks runs as possibly incomplete, so that they are fetched when they are shown. */
export function loosen(cache: Cache, keys: readonly string[]): Cache {
  if (keys.length === 0) return cache;
  const runs = new Map(cache.runs);
  for (const key of keys) {
    const run = runs.get(key);
    if (run) runs.set(key, { ...run, hasNewest: false });
  }
  return { ...cache, runs };
}
