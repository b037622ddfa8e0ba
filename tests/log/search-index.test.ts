import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Message, StoredMessage } from '#shared/domain/messages/message.ts';
import { matches } from '#shared/domain/narrow/matches.ts';
import { noPreferences, type ResolvedTerm } from '#shared/domain/narrow/term.ts';
import { parseSearch } from '#shared/domain/search/query.ts';
import { runsOf, type SearchIndex } from '#shared/domain/search/segments.ts';
import { termsAsked } from '#shared/domain/search/terms.ts';
import { moveFrontier } from '#shared/log/head.ts';
import { indexMessages, rebuildSearchIndex } from '#shared/log/index-messages.ts';
import { tendLog } from '#shared/log/tend.ts';
import type { Services } from '#shared/runtime/services.ts';
import { type OpenIndex, openIndex, walkIndex } from '#shared/store/index-walk.ts';
import { listEntries, readCounter } from '#shared/store/log.ts';
import { deleteRun, findSearchIndex, RunGone } from '#shared/store/search-index.ts';
import { keys } from '#shared/table/keys.ts';
import { searchKeys } from '#shared/table/search-keys.ts';
import { expireEntries, withCalls, writeEntries } from '#tests/harness/log.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { Random } from '#tests/simulation/random.ts';

const CALLER = 1;
const CHANNELS = 2;
const SEGMENT = 20;
const WORDS = [
  'walrus',
  'walruses',
  'seal',
  'Café',
  'planned',
  'the',
  '東京',
  '京都',
  '2.0',
  '🎉',
  'deploy failed',
];
const QUERIES = [
  'walrus',
  'seal cafe',
  'plan',
  'planning',
  '東京',
  '京',
  '"l caf"',
  '2.0',
  '🎉',
  '"deploy fail"',
  'otter',
];

let service: TestService;
let random: Random;

beforeAll(async () => {
  service = await startTestService({ searchSegment: { positions: SEGMENT, fanout: 2 } });
  random = new Random(7);
});

afterAll(() => service.stop());

const text = (): string => Array.from({ length: 4 }, () => random.pick(WORDS)).join(' ');

const channelMessage = (content: string): StoredMessage => ({
  kind: 'channel',
  channelId: random.between(1, CHANNELS),
  channelName: 'room',
  isPublic: true,
  topic: `topic ${random.between(1, 3)}`,
  ...parts(content),
});

const parts = (content: string) => ({
  senderId: random.between(CALLER, CALLER + 2),
  senderEmail: 'x@example.com',
  senderFullName: 'X',
  senderAvatarVersion: 1,
  client: 'test',
  atSeconds: Math.floor(service.services.clock.nowMs() / 1000),
  content,
  html: `<p>${content}</p>`,
  isReadBySender: false,
});

/** Writes entries without the service, as if they had been sent: now and then one is no message. */
async function grow(count: number): Promise<void> {
  const { services } = service;
  const last = await readCounter(services.table);
  const entries = Array.from({ length: count }, (_, n) => ({
    position: last + 1 + n,
    atMs: services.clock.nowMs(),
    writeId: 'test',
    events: [],
    ...(random.chance(0.9) && { message: channelMessage(text()) }),
  }));
  await writeEntries(services, entries);
  await moveFrontier(services, last + count);
}

/** Gives a message of any age another text and another place, as an edit does: with an entry that tells of it. */
async function change(): Promise<void> {
  const { services } = service;
  const message = random.pick(await listMessages());
  const next = channelMessage(text());
  const [entry] = await listEntries(services.table, message.messageId, message.messageId);
  await services.table.write({
    kind: 'update',
    key: keys.logEntry(message.messageId),
    set: { message: { ...entry?.message, ...next } },
  });
  const position = (await readCounter(services.table)) + 1;
  const payload = { type: 'update_message', message_id: message.messageId, message_ids: [message.messageId] };
  await writeEntries(services, [
    { position, atMs: 0, writeId: 'test', events: [{ audience: { kind: 'everyone' }, payload }] },
  ]);
  await moveFrontier(services, position);
}

async function listMessages(): Promise<Message[]> {
  const { table } = service.services;
  const entries = await listEntries(table, 1, await readCounter(table));
  return entries.flatMap(({ position, message }) => (message ? [{ ...message, messageId: position }] : []));
}

const context = { callerId: CALLER, flags: [], view: undefined, preferences: noPreferences };

/** The ids that the index leads to and that match, which have to be those that match of all. */
async function expectExact(narrow: ResolvedTerm[], all: Message[]): Promise<void> {
  const { table } = service.services;
  const end = await readCounter(table);
  const open = await openIndex(table, end);
  if (!open) return;
  const from = random.between(1, end);
  const stretch = random.pick([
    { from: 1, to: end },
    { from, to: random.between(from, end) },
  ]);
  for (const isBackwards of [true, false]) {
    const found: number[] = [];
    for await (const page of walkIndex(
      table,
      open,
      termsAsked(narrow, CALLER),
      { ...stretch, isBackwards },
      () => 100,
    ))
      found.push(
        ...page.messages.filter((one) => matches(narrow, one, context)).map(({ messageId }) => messageId),
      );
    const expected = all
      .filter(({ messageId }) => stretch.from <= messageId && messageId <= stretch.to)
      .filter((one) => matches(narrow, one, context))
      .map(({ messageId }) => messageId);
    expect(found, JSON.stringify(narrow)).toEqual(isBackwards ? expected.reverse() : expected);
  }
}

const narrowFor = (query: string): ResolvedTerm[] => [
  { kind: 'search', query: parseSearch(query), isNegated: false },
  ...random.pick<ResolvedTerm[]>([
    [],
    [{ kind: 'channel', channel: 1, isNegated: false }],
    [{ kind: 'sender', user: CALLER, isNegated: false }],
    [{ kind: 'topic', topic: 'Topic 2', isNegated: false }],
  ]),
];

async function expectAllExact(queries = [1, 2, 3].map(() => random.pick(QUERIES))): Promise<void> {
  const all = await listMessages();
  for (const query of queries) await expectExact(narrowFor(query), all);
}

/** The same services, whose process dies at a write: before or after it took effect. */
function dyingAt(services: Services, writes: number): Services {
  let left = writes;
  return withCalls(services, (table) => ({
    write: async (given) => {
      if (--left < 0) throw new Error('The process is dead');
      if (left > 0 || random.chance(0.5)) await table.write(given);
      if (left === 0) throw new Error('The process dies');
    },
  }));
}

describe('the search index', () => {
  test('leads to all that a search finds, however far it has come, and wherever its worker dies', async () => {
    let deaths = 0;
    for (let round = 0; round < 14; round++) {
      await grow(random.between(10, 25));
      if (round > 2) await change();
      const dies = random.chance(0.7);
      const worker = dies ? dyingAt(service.services, random.between(1, 9)) : service.services;
      await indexMessages(worker).catch(() => deaths++);
      await expectAllExact([random.pick(QUERIES), random.pick(QUERIES)]);
      // Whoever comes next takes over from who died.
      service.advance(150_000);
    }
    expect(deaths).toBeGreaterThan(5);
    await indexMessages(service.services);
    await expectAllExact(QUERIES);
  });

  test('keeps no runs that nobody reads', async () => {
    const { services } = service;
    for (let n = 0; n < 2; n++) {
      service.advance(150_000);
      await grow(SEGMENT);
      await indexMessages(services);
    }
    const index = await findSearchIndex(services.table);
    const kept = [...(index?.segments.flatMap(runsOf) ?? []), ...(index?.waste.map(({ run }) => run) ?? [])];
    const standing: number[] = [];
    for (let runId = 1; runId < (index?.nextRunId ?? 0); runId++)
      if (await services.table.find(searchKeys.bucket(runId, 0))) standing.push(runId);
    expect(standing).toEqual(kept.map(({ runId }) => runId).sort((a, b) => a - b));
  });

  test('merges small segments into few, and many patches into one', async () => {
    for (let n = 0; n < 10; n++) {
      await change();
      await grow(SEGMENT - 1);
      await indexMessages(service.services);
    }
    const index = await findSearchIndex(service.services.table);
    const levels = index?.segments.map(({ level }) => level) ?? [];
    expect(levels).toEqual(levels.toSorted((a, b) => b - a));
    for (const level of [0, 1]) expect(levels.filter((one) => one === level).length).toBeLessThan(2);
    for (const { patches } of index?.segments ?? []) expect(patches.length).toBeLessThanOrEqual(8);
    await expectAllExact();
  });

  test('is written by one worker at a time, and several do no harm', async () => {
    await grow(40);
    const { services } = service;
    await Promise.all([indexMessages(services), indexMessages(services), indexMessages(services)]);
    await indexMessages(services);
    service.advance(150_000);
    await indexMessages(services);
    await expectAllExact();
  });

  test('is not touched by a worker that wakes up after another one took over', async () => {
    const { services } = service;
    await grow(SEGMENT);
    let taken: SearchIndex | undefined;
    const frozen = withCalls(services, (table) => ({
      write: async (given) => {
        const isBucket = given.kind === 'put' && given.item.pk.startsWith('SEARCH_RUN#');
        if (isBucket && !taken) {
          service.advance(150_000);
          await change();
          await grow(SEGMENT);
          await indexMessages(services);
          taken = await findSearchIndex(services.table);
        }
        await table.write(given);
      },
    }));
    await indexMessages(frozen);
    expect(taken).toBeDefined();
    expect(await findSearchIndex(services.table)).toEqual(taken);
    await expectAllExact();
  });

  test('is left alone by a search for which a run has gone meanwhile, and begins anew', async () => {
    const { services } = service;
    const { table } = services;
    const end = await readCounter(table);
    const open = await openIndex(table, end);
    for (const { run } of open?.index.segments ?? []) await deleteRun(table, run);
    const terms = termsAsked(narrowFor('seal'), CALLER);
    const search = async () => {
      const stretch = { from: 1, to: end, isBackwards: true };
      for await (const _page of walkIndex(table, open as OpenIndex, terms, stretch, () => 100));
    };
    await expect(search()).rejects.toThrow(RunGone);
    await grow(40);
    await indexMessages(services);
    await expectAllExact();
  });

  test('begins anew where the log forgot what it should have read', async () => {
    const { services } = service;
    await grow(SEGMENT);
    await change();
    const end = await readCounter(services.table);
    await grow(SEGMENT);
    await expireEntries(services, end, end);
    await indexMessages(services);
    await expectAllExact();
  });

  test('is built anew when it is asked to be', async () => {
    const { services } = service;
    const before = await findSearchIndex(services.table);
    await rebuildSearchIndex(services);
    expect((await findSearchIndex(services.table))?.segments).toEqual([]);
    await indexMessages(services);
    const after = await findSearchIndex(services.table);
    expect(after?.indexed).toBeGreaterThanOrEqual(before?.indexed ?? 0);
    expect(after?.nextRunId).toBeGreaterThan(before?.nextRunId ?? 0);
    await expectAllExact();
  });

  test('is not read while it is far behind', async () => {
    const { table } = service.services;
    const index = await findSearchIndex(table);
    expect(await openIndex(table, (index?.indexed ?? 0) + 20_001)).toBeUndefined();
  });

  test('costs the sweep nothing while less has come than a segment', async () => {
    const { services, meter } = service;
    const log = await tendLog(services);
    meter.reset();
    await indexMessages(services, { ...log, indexedPosition: log.position - SEGMENT + 1 });
    expect(meter.read + meter.write).toBe(0);
  });
});
