import { chunksOf } from '#shared/domain/chunks.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { collectPostings, estimateBytes, type Postings } from '#shared/domain/search/postings.ts';
import {
  emptyIndex,
  findMerge,
  findPatched,
  mergedSegment,
  type Run,
  runsOf,
  type Segment,
  startedOver,
} from '#shared/domain/search/segments.ts';
import { TERMS_VERSION, termsOf } from '#shared/domain/search/terms.ts';
import { moveIndexed } from '#shared/log/head.ts';
import { findLowWaterMark, type LowWaterMark, listEntries } from '#shared/store/log/log.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';
import { changedMessageIds } from '#shared/store/messages/changed-messages.ts';
import { listMessagesById } from '#shared/store/messages/messages.ts';
import { deleteRun, findSearchIndex, RunGone } from './search-index.ts';
import {
  addRuns,
  fromPostings,
  fromRuns,
  IndexChanged,
  type IndexServices,
  type Source,
  store,
  type Work,
} from './search-runs.ts';

/** The next sweep continues after this time. */
const RUN_MS = 45_000;
/** A writer that takes longer has crashed. */
const CLAIM_MS = 120_000;
/** Longer than a search, which may still read replaced runs. */
const WASTE_MS = 120_000;
/** The number of changed messages read at once. */
const PATCH_MESSAGES = 2_000;

/**
 * Extends the search index by whole segments up to the head of the log and merges small segments. Each step
 * completes or has no effect.
 */
export async function indexMessages(services: IndexServices, log?: LowWaterMark): Promise<void> {
  const { position, indexedPosition } = log ?? (await findLowWaterMark(services.table));
  if (position - indexedPosition < services.config.searchSegment.positions) return;
  const untilMs = services.clock.nowMs() + RUN_MS;
  const nowMs = services.clock.nowMs();
  const known = await findSearchIndex(services.table);
  if (known?.writing && known.writing.atMs > nowMs - CLAIM_MS) return;
  const work: Work = { services, index: known ?? emptyIndex(position) };
  try {
    if (work.index.version !== TERMS_VERSION) await startOver(work, position);
    while (services.clock.nowMs() < untilMs && (await takeStep(work, position)));
    await takeWasteAway(work);
  } catch (failure) {
    if (!(failure instanceof IndexChanged)) throw failure;
  }
}

const startOver = (work: Work, position: number): Promise<void> =>
  store(work, startedOver(work.index, position, work.services.clock.nowMs()));

/** Discards the whole index, so that the next runs rebuild it; a concurrent writer gives up. */
export async function rebuildSearchIndex(services: IndexServices): Promise<void> {
  const { position } = await findLowWaterMark(services.table);
  const index = await findSearchIndex(services.table);
  try {
    if (index) await startOver({ services, index }, position);
  } catch (failure) {
    if (!(failure instanceof IndexChanged)) throw failure;
    return rebuildSearchIndex(services);
  }
  await moveIndexed(services.table, 0, { isBack: true });
}

/**
 * One step that extends or improves the index; false when there is none. An index with a missing run is
 * discarded.
 */
async function takeStep(work: Work, position: number): Promise<boolean> {
  try {
    return await improve(work, position);
  } catch (failure) {
    if (!(failure instanceof RunGone)) throw failure;
    await startOver(work, position);
    return true;
  }
}

async function improve(work: Work, position: number): Promise<boolean> {
  const { index, services } = work;
  const sizes = services.config.searchSegment;
  const merged = findMerge(index, sizes);
  const patched = findPatched(index);
  if (merged) await merge(work, merged);
  else if (patched) await mergePatches(work, patched);
  else if (position - index.indexed >= sizes.positions) await addSegment(work, position);
  else return false;
  return true;
}

async function merge(work: Work, merged: Segment[]): Promise<void> {
  const runs = merged.flatMap(runsOf);
  await addRuns(work, [fromRuns(work, runs)], ([run]) => ({
    segments: work.index.segments.flatMap((segment) => {
      if (segment === merged[0]) return [mergedSegment(merged, run as Run)];
      return merged.includes(segment) ? [] : [segment];
    }),
    replaced: runs,
  }));
}

async function mergePatches(work: Work, patched: Segment): Promise<void> {
  await addRuns(work, [fromRuns(work, patched.patches)], (patches) => ({
    segments: work.index.segments.map((segment) => (segment === patched ? { ...patched, patches } : segment)),
    replaced: patched.patches,
  }));
}

/** Makes a segment of new log entries, and patches for the older messages that they changed. */
async function addSegment(work: Work, position: number): Promise<void> {
  const { services, index } = work;
  const from = index.indexed + 1;
  const to = index.indexed + services.config.searchSegment.positions;
  const entries = await listEntries(services.table, from, to);
  if (isMissingSome(entries, Math.max(from, index.begunAt + 1), to)) return startOver(work, position);
  const messages = entries.flatMap(({ position: messageId, message }) =>
    message ? [{ ...message, messageId }] : [],
  );
  const patches = await listPatches(work, changedMessageIds(entries));
  const own = messages.length > 0 ? [sourceOf(work, messages)] : [];
  const sources = [...patches.map(({ source }) => source), ...own];
  const change = (runs: Run[]) => {
    const [run] = runs.slice(patches.length);
    const segments = work.index.segments.map((segment) => ({
      ...segment,
      patches: [...segment.patches, ...runs.filter((_, n) => patches[n]?.from === segment.from)],
    }));
    return {
      segments: [...segments, ...(run ? [{ level: 0, from, to, run, patches: [] }] : [])],
      indexed: to,
    };
  };
  if (sources.length > 0) await addRuns(work, sources, change);
  else await store(work, { ...index, indexed: to });
  await moveIndexed(services.table, to);
}

/** Entries of events expire after some days; their changes of older messages are then lost. */
const isMissingSome = (entries: LogEntry[], from: number, to: number): boolean =>
  entries.filter(({ position }) => position >= from).length < to - from + 1;

/** The runs with the present state of changed messages. */
async function listPatches(work: Work, messageIds: number[]): Promise<{ from: number; source: Source }[]> {
  const patches: { from: number; source: Source }[] = [];
  for (const { from, to } of work.index.segments) {
    const ids = messageIds.filter((id) => from <= id && id <= to);
    for (const some of chunksOf(ids, PATCH_MESSAGES)) {
      const messages = await listMessagesById(work.services.table, some);
      if (messages.length > 0) patches.push({ from, source: sourceOf(work, messages) });
    }
  }
  return patches;
}

function sourceOf(work: Work, messages: Message[]): Source {
  const postings: Postings = collectPostings(
    messages.map((message) => ({ messageId: message.messageId, terms: termsOf(message) })),
  );
  return fromPostings(work, postings, estimateBytes(postings));
}

/** Deletes unused runs. */
async function takeWasteAway(work: Work): Promise<void> {
  const { services, index } = work;
  const old = index.waste.filter(({ atMs }) => atMs < services.clock.nowMs() - WASTE_MS);
  if (old.length === 0) return;
  for (const { run } of old) await deleteRun(services.table, run);
  await store(work, { ...index, waste: index.waste.filter((candidate) => !old.includes(candidate)) });
}
