import { describe, expect, test } from 'vitest';
import { addPage, emptyCache } from '#web/state/cache.ts';
import { cacheOfKept, changedParts, changedRuns, keptRun, stateOfParts } from '#web/state/kept.ts';
import { topicNarrow } from '#web/state/narrow.ts';
import { stateOf } from '#web/state/state.ts';
import type { Snapshot } from '#web/state/wire.ts';
import type { Message } from '#web/state/wire-messages.ts';

const snapshot = { user_id: 7, full_name: 'Ada', drafts: [], queue_id: 'q', event_socket: { token: 's' } };
const state = stateOf(snapshot as unknown as Snapshot);
const narrow = topicNarrow(3, 'tea');
const messagesOf = (count: number): Message[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, content: `${index}` }) as Message);
const cacheOf = (count: number) =>
  addPage(emptyCache, 'tea', { narrow, messages: messagesOf(count), hasOldest: true, hasNewest: true });

describe('State kept on a device', () => {
  test('A state is made of its parts, without what opens the queue', () => {
    const parts = new Map(changedParts(undefined, state));
    const server = { user_id: 7, full_name: 'Ada', drafts: [] };
    expect(stateOfParts(parts)).toEqual({ server, calls: new Map() });
  });

  test('Only the parts that changed are written again', () => {
    const next = { ...state, server: { ...state.server, full_name: 'Ada L.' } };
    expect(changedParts(state, next)).toEqual([['server full_name', 'Ada L.']]);
    expect(changedParts(state, state)).toEqual([]);
  });

  test('Parts without an owner are no state', () => {
    const parts = changedParts(undefined, state).filter(([name]) => name !== 'server user_id');
    expect(stateOfParts(new Map(parts))).toBeUndefined();
    expect(stateOfParts(new Map())).toBeUndefined();
  });
});

describe('Conversations kept on a device', () => {
  test('A long run is kept with its newest messages, and can be extended to older ones', () => {
    const cache = cacheOf(130);
    const run = keptRun(cache, 'tea', cache.runs.get('tea')!, 0);
    expect(run.messages.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, index) => index + 31));
    expect(run).toMatchObject({ hasOldest: false, hasNewest: true });
  });

  test('A short run comes back as it was', () => {
    const cache = cacheOf(3);
    const run = keptRun(cache, 'tea', cache.runs.get('tea')!, 0);
    expect(cacheOfKept([run], cache.topics)).toEqual(cache);
  });

  test('A run counts as changed if one of its kept messages did', () => {
    const cache = cacheOf(130);
    expect(changedRuns(undefined, cache)).toEqual(['tea']);
    expect(changedRuns(cache, cache)).toEqual([]);
    const withNew = (id: number) => ({
      ...cache,
      byId: new Map(cache.byId).set(id, { ...cache.byId.get(id)!, content: 'edited' }),
    });
    expect(changedRuns(cache, withNew(100))).toEqual(['tea']);
    expect(changedRuns(cache, withNew(5))).toEqual([]);
  });

  test('Runs come back in the order in which they were kept', () => {
    const cache = cacheOf(2);
    const run = keptRun(cache, 'tea', cache.runs.get('tea')!, 0);
    const runs = [
      { ...run, key: 'second', keptAtMs: 2 },
      { ...run, key: 'first', keptAtMs: 1 },
    ];
    expect([...cacheOfKept(runs, new Map()).runs.keys()]).toEqual(['first', 'second']);
  });
});
