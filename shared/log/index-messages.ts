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
import { changedMessageIds } from '#shared/store/changed-messages.ts';
import { type Frontier, findFrontier, listEntries } from '#shared/store/log.ts';
import type { LogEntry } from '#shared/store/log-entry.ts';
import { listMessagesById } from '#shared/store/messages.ts';
import { deleteRun, findSearchIndex, RunGone } from '#shared/store/search-index.ts';
import { moveIndexed } from './head.ts';
import {
  addRuns,
  fromPostings,
  fromRuns,
  type IndexServices,
  Overtaken,
  type Source,
  store,
  type Work,
} from './search-runs.ts';

/** A sweep leaves the rest to the next one. */
const RUN_MS = 45_000;
/** Whoever has written for so long has died. */
const CLAIM_MS = 120_000;
/** Longer than a search takes, which may still read what was replaced. */
const WASTE_MS = 120_000;
/** So many changed messages are read at once. */
const PATCH_MESSAGES = 2_000;

/**
 * Brings the search index up to where the log has no holes, as far as whole segments are to be had, and merges what
 * has become many segments. What was begun is either ended or left as if it had not been begun.
 */
export async function indexMessages(services: IndexServices, log?: Frontier): Promise<void> {
  const { position, indexedPosition } = log ?? (await findFrontier(services.table));
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
    if (!(failure instanceof Overtaken)) throw failure;
  }
}

const startOver = (work: Work, position: number): Promise<void> =>
  store(work, startedOver(work.index, position, work.services.clock.nowMs()));

/** Forgets the whole index, so that the following runs build it anew; whoever is at work at the moment gives up. */
export async function rebuildSearchIndex(services: IndexServices): Promise<void> {
  const { position } = await findFrontier(services.table);
  const index = await findSearchIndex(services.table);
  try {
    if (index) await startOver({ services, index }, position);
  } catch (failure) {
    if (!(failure instanceof Overtaken)) throw failure;
    return rebuildSearchIndex(services);
  }
  await moveIndexed(services.table, 0, { isBack: true });
}

/** One thing that makes the index larger or better; false where there is none. An index that lacks a run is of no use. */
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

/** What follows in the log becomes a segment, and what it says of older messages a patch of theirs. */
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

/** Entries of events end after some days. What one of them said of older messages is lost then. */
const isMissingSome = (entries: LogEntry[], from: number, to: number): boolean =>
  entries.filter(({ position }) => position >= from).length < to - from + 1;

/** The runs that tell how messages of segments are now. */
async function listPatches(work: Work, messageIds: number[]): Promise<{ from: number; source: Source }[]> {
  const patches: { from: number; source: Source }[] = [];
  for (const { from, to } of work.index.segments) {
    const ids = messageIds.filter((id) => from <= id && id <= to);
    for (let n = 0; n < ids.length; n += PATCH_MESSAGES) {
      const messages = await listMessagesById(work.services.table, ids.slice(n, n + PATCH_MESSAGES));
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

/** Deletes the runs that nobody reads any more. */
async function takeWasteAway(work: Work): Promise<void> {
  const { services, index } = work;
  const old = index.waste.filter(({ atMs }) => atMs < services.clock.nowMs() - WASTE_MS);
  if (old.length === 0) return;
  for (const { run } of old) await deleteRun(services.table, run);
  await store(work, { ...index, waste: index.waste.filter((one) => !old.includes(one)) });
}
