import { describe, expect, test } from 'vitest';
import { mergePostings } from '#shared/domain/search/postings.ts';
import {
  emptyIndex,
  type Run,
  runsOf,
  type SearchIndex,
  type Segment,
} from '#shared/domain/search/segments.ts';
import { TERMS_VERSION, termsAsked } from '#shared/domain/search/terms.ts';
import { maintainLog } from '#shared/log/maintenance.ts';
import type { Services } from '#shared/runtime/services.ts';
import { indexMessages, rebuildSearchIndex } from '#shared/search/index-messages.ts';
import { type OpenIndex, openIndex, walkIndex } from '#shared/search/index-walk.ts';
import { deleteRun, findSearchIndex, RunGone, readBuckets } from '#shared/search/search-index.ts';
import { addRuns, fromPostings } from '#shared/search/search-runs.ts';
import { readCounter } from '#shared/store/log/log.ts';
import { messageKeys } from '#shared/table/keys/log.ts';
import { expireEntries, withCalls } from '#tests/harness/log.ts';
import { startTestService } from '#tests/harness/service.ts';
import { Random } from '#tests/simulation/random.ts';
import { QUERIES, SearchedLog } from './searched-log.ts';

const SEGMENT = 20;

const service = await startTestService({ searchSegment: { positions: SEGMENT, fanout: 2 } });
const { services } = service;
const log = new SearchedLog(services, 7);

/** The same services, whose process dies at a write: before or after it took effect. */
function dyingAt(services: Services, writes: number): Services {
  let left = writes;
  return withCalls(services, (table) => ({
    write: async (written) => {
      if (--left < 0) throw new Error('The process is dead');
      if (left > 0 || log.random.chance(0.5)) await table.write(written);
      if (left === 0) throw new Error('The process dies');
    },
  }));
}

/** Every run in the table is one that the index reads or will delete. */
async function expectNoOtherRuns({ table }: Services): Promise<void> {
  const index = await findSearchIndex(table);
  const kept = [...(index?.segments.flatMap(runsOf) ?? []), ...(index?.waste.map(({ run }) => run) ?? [])];
  const standing: number[] = [];
  for (let runId = 1; runId < (index?.nextRunId ?? 0); runId++)
    if (await table.find(messageKeys.searchBucket(runId, 0))) standing.push(runId);
  expect(standing).toEqual(kept.map(({ runId }) => runId).sort((a, b) => a - b));
}

describe('The search index', () => {
  test('Leads to everything that a search finds, at any progress, and wherever its worker crashes', async () => {
    let deaths = 0;
    for (let round = 0; round < 14; round++) {
      await log.grow(log.random.between(10, 25));
      if (round > 2) await log.change();
      const dies = log.random.chance(0.7);
      const worker = dies ? dyingAt(services, log.random.between(1, 9)) : services;
      await indexMessages(worker).catch(() => deaths++);
      await log.expectExact([log.random.pick(QUERIES), log.random.pick(QUERIES)]);
      // The next process takes over from the one that died.
      service.advance(150_000);
    }
    expect(deaths).toBeGreaterThan(5);
    await indexMessages(services);
    await log.expectExact(QUERIES);
  });

  test('Keeps no runs that no search reads', async () => {
    for (let n = 0; n < 2; n++) {
      service.advance(150_000);
      await log.grow(SEGMENT);
      await indexMessages(services);
    }
    await expectNoOtherRuns(services);
  });

  test('Merges small segments into few, and many patches into one', async () => {
    for (let n = 0; n < 10; n++) {
      await log.change();
      await log.grow(SEGMENT - 1);
      await indexMessages(services);
    }
    const index = await findSearchIndex(services.table);
    const levels = index?.segments.map(({ level }) => level) ?? [];
    expect(levels).toEqual(levels.toSorted((a, b) => b - a));
    for (const level of [0, 1]) expect(levels.filter((one) => one === level).length).toBeLessThan(2);
    for (const { patches } of index?.segments ?? []) expect(patches.length).toBeLessThanOrEqual(8);
    await log.expectExact();
  });

  test('Merges the patches of a segment that stays alone, and loses none of them', async () => {
    const alone = await startTestService({ searchSegment: { positions: SEGMENT, fanout: 100 } });
    const changing = new SearchedLog(alone.services, 3);
    await changing.grow(SEGMENT);
    await indexMessages(alone.services);
    for (let round = 0; round < 12; round++) {
      for (let n = 0; n < 15; n++) await changing.change();
      await changing.grow(SEGMENT - 15);
      await indexMessages(alone.services);
      const index = await findSearchIndex(alone.services.table);
      for (const { patches } of index?.segments ?? []) expect(patches.length).toBeLessThanOrEqual(8);
    }
    const index = await findSearchIndex(alone.services.table);
    expect(index?.segments.length).toBeGreaterThanOrEqual(13);
    await changing.expectExact(QUERIES);
    await expectNoOtherRuns(alone.services);
  });

  test('Stays with a worker that has started to write for two minutes, and then goes to another', async () => {
    await log.grow(SEGMENT);
    const dying = withCalls(services, (table) => ({
      write: async (write) => {
        if (write.kind === 'put' && write.item.pk.startsWith('SEARCH_RUN#'))
          throw new Error('The process dies');
        await table.write(write);
      },
    }));
    await expect(indexMessages(dying)).rejects.toThrow('The process dies');
    const left = await findSearchIndex(services.table);
    const claimedAtMs = left?.writing?.atMs ?? 0;
    const at = (nowMs: number): Services => ({
      ...services,
      clock: { sleep: services.clock.sleep.bind(services.clock), nowMs: () => nowMs },
    });
    await indexMessages(at(claimedAtMs + 119_999));
    expect(await findSearchIndex(services.table)).toEqual(left);
    await indexMessages(at(claimedAtMs + 120_000));
    const taken = await findSearchIndex(services.table);
    expect(taken?.writing).toBeUndefined();
    expect(taken?.indexed).toBeGreaterThan(left?.indexed ?? 0);
    await log.expectExact();
  });

  test('Has one writing worker at a time, and several do no harm', async () => {
    await log.grow(40);
    await Promise.all([indexMessages(services), indexMessages(services), indexMessages(services)]);
    await indexMessages(services);
    service.advance(150_000);
    await indexMessages(services);
    await log.expectExact();
  });

  test('Does not change by a worker that wakes up after another one replaced it', async () => {
    await log.grow(SEGMENT);
    let taken: SearchIndex | undefined;
    const frozen = withCalls(services, (table) => ({
      write: async (written) => {
        const isBucket = written.kind === 'put' && written.item.pk.startsWith('SEARCH_RUN#');
        if (isBucket && !taken) {
          service.advance(150_000);
          await log.change();
          await log.grow(SEGMENT);
          await indexMessages(services);
          taken = await findSearchIndex(services.table);
        }
        await table.write(written);
      },
    }));
    await indexMessages(frozen);
    expect(taken).toBeDefined();
    expect(await findSearchIndex(services.table)).toEqual(taken);
    await log.expectExact();
  });

  test('Gets ignored by a search if a run was lost, and starts over', async () => {
    const { table } = services;
    const end = await readCounter(table);
    const open = await openIndex(table, end);
    for (const { run } of open?.index.segments ?? []) await deleteRun(table, run);
    const terms = termsAsked([{ kind: 'sender', user: 1, isNegated: false }], 1);
    const search = async () => {
      const stretch = { from: 1, to: end, isBackwards: true };
      for await (const _page of walkIndex(table, open as OpenIndex, terms, stretch, () => 100));
    };
    await expect(search()).rejects.toThrow(RunGone);
    await log.grow(40);
    await indexMessages(services);
    await log.expectExact();
  });

  test('Starts over if the log no longer has the entries to be read', async () => {
    await log.grow(SEGMENT);
    await log.change();
    const end = await readCounter(services.table);
    await log.grow(SEGMENT);
    await expireEntries(services, end, end);
    await indexMessages(services);
    await log.expectExact();
  });

  test('Starts over on request', async () => {
    const before = await findSearchIndex(services.table);
    await rebuildSearchIndex(services);
    expect((await findSearchIndex(services.table))?.segments).toEqual([]);
    await indexMessages(services);
    const after = await findSearchIndex(services.table);
    expect(after?.indexed).toBeGreaterThanOrEqual(before?.indexed ?? 0);
    expect(after?.nextRunId).toBeGreaterThan(before?.nextRunId ?? 0);
    await log.expectExact();
  });

  test('Starts over if a release computes other terms', async () => {
    const before = await findSearchIndex(services.table);
    const older = JSON.stringify({ ...before, version: TERMS_VERSION - 1 });
    await services.table.write({ kind: 'update', key: messageKeys.searchIndex(), set: { index: older } });
    expect(await openIndex(services.table, before?.indexed ?? 0)).toBeUndefined();
    await log.grow(SEGMENT);
    await indexMessages(services);
    const after = await findSearchIndex(services.table);
    expect(after?.version).toBe(TERMS_VERSION);
    const reused = after?.segments.flatMap(runsOf).filter(({ runId }) => runId < (before?.nextRunId ?? 0));
    expect(reused).toEqual([]);
    await log.expectExact();
  });

  test('Starts over even if a worker changes it meanwhile', async () => {
    await log.grow(SEGMENT);
    let calls = 0;
    const late = withCalls(services, (table) => ({
      write: async (written) => {
        if (++calls === 1) await indexMessages(services);
        await table.write(written);
      },
    }));
    await rebuildSearchIndex(late);
    expect(calls).toBeGreaterThan(2);
    const index = await findSearchIndex(services.table);
    expect(index?.segments).toEqual([]);
    expect(index?.indexed).toBe(0);
    await indexMessages(services);
    await log.expectExact();
  });

  test('Has as many buckets as needed for each to fit into an item', async () => {
    const large = await startTestService();
    const { services } = large;
    const random = new Random(5);
    const inventId = () => random.between(1, 2_000_000_000);
    const postings = new Map(
      Array.from({ length: 60_000 }, () => [random.between(0, 2 ** 32 - 1), [inventId()]]),
    );
    const work = { services, index: emptyIndex(0) };
    await addRuns(work, [fromPostings(work, postings, 1)], ([run]) => ({
      segments: [{ level: 0, from: 1, to: 2, run: run as Run, patches: [] }],
    }));
    const [segment] = (await findSearchIndex(services.table))?.segments ?? [];
    const { run } = segment as Segment;
    const buckets = await readBuckets(services.table, run, { first: 0, count: 2 ** run.bits });
    expect(buckets).toHaveLength(4);
    expect(mergePostings(buckets)).toEqual(postings);
  });

  test('Gets ignored while it is far behind', async () => {
    const { table } = services;
    const index = await findSearchIndex(table);
    expect(await openIndex(table, (index?.indexed ?? 0) + 20_001)).toBeUndefined();
  });

  test('Costs the sweep nothing while less than a segment is new', async () => {
    const { meter } = service;
    const lowWaterMark = await maintainLog(services);
    meter.reset();
    await indexMessages(services, { ...lowWaterMark, indexedPosition: lowWaterMark.position - SEGMENT + 1 });
    expect(meter.read + meter.write).toBe(0);
  });
});
