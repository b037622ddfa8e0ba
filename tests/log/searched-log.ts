import { expect } from 'vitest';
import type { Message, StoredMessage } from '#shared/domain/messages/message.ts';
import { matches } from '#shared/domain/narrow/matches.ts';
import { noPreferences, type ResolvedTerm } from '#shared/domain/narrow/term.ts';
import { parseSearch } from '#shared/domain/search/query.ts';
import { termsAsked } from '#shared/domain/search/terms.ts';
import { moveLowWaterMark } from '#shared/log/head.ts';
import type { Services } from '#shared/runtime/services.ts';
import { openIndex, walkIndex } from '#shared/search/index-walk.ts';
import { listEntries, readCounter } from '#shared/store/log/log.ts';
import { logKeys } from '#shared/table/keys/log.ts';
import { logEvent } from '#tests/harness/any-event.ts';
import { writeEntries } from '#tests/harness/log.ts';
import { channelMessage } from '#tests/harness/samples.ts';
import { Random } from '#tests/simulation/random.ts';

const CALLER = 1;
const CHANNELS = 2;
const WORDS = [
  ...['walrus', 'walruses', 'seal', 'Café', 'planned', 'the', '東京', '京都', '2.0', '🎉', 'deploy failed'],
];
export const QUERIES = [
  ...[
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
  ],
];

const context = { callerId: CALLER, flags: [], view: undefined, preferences: noPreferences };

/** A log whose messages are created and changed without the service, and the expected results of searches. */
export class SearchedLog {
  readonly random: Random;
  readonly #services: Services;

  constructor(services: Services, seed: number) {
    this.#services = services;
    this.random = new Random(seed);
  }

  /** Writes entries, as if they had been sent: now and then one is no message. */
  async grow(count: number): Promise<void> {
    const last = await readCounter(this.#services.table);
    const entries = Array.from({ length: count }, (_, n) => ({
      position: last + 1 + n,
      atMs: this.#services.clock.nowMs(),
      writeId: 'test',
      events: [],
      ...(this.random.chance(0.9) && { message: this.#invent() }),
    }));
    await writeEntries(this.#services, entries);
    await moveLowWaterMark(this.#services, last + count);
  }

  /** Gives a message of any age another text and another place, like an edit: with an entry for it. */
  async change(): Promise<void> {
    const { messageId } = this.random.pick(await this.#listMessages());
    const { table } = this.#services;
    await table.write({ kind: 'update', key: logKeys.entry(messageId), set: { message: this.#invent() } });
    const position = (await readCounter(table)) + 1;
    const events = [logEvent({ type: 'update_message', message_id: messageId, message_ids: [messageId] })];
    await writeEntries(this.#services, [{ position, atMs: 0, writeId: 'test', events }]);
    await moveLowWaterMark(this.#services, position);
  }

  #invent(): StoredMessage {
    const content = Array.from({ length: 4 }, () => this.random.pick(WORDS)).join(' ');
    return channelMessage({
      channelId: this.random.between(1, CHANNELS),
      topic: `topic ${this.random.between(1, 3)}`,
      senderId: this.random.between(CALLER, CALLER + 2),
      atSeconds: Math.floor(this.#services.clock.nowMs() / 1000),
      content,
      html: `<p>${content}</p>`,
    });
  }

  async #listMessages(): Promise<Message[]> {
    const { table } = this.#services;
    const entries = await listEntries(table, 1, await readCounter(table));
    return entries.flatMap(({ position, message }) => (message ? [{ ...message, messageId: position }] : []));
  }

  /** For each query, in some narrow and range, the matches of the index equal the matches of all messages. */
  async expectExact(queries = [1, 2, 3].map(() => this.random.pick(QUERIES))): Promise<void> {
    const all = await this.#listMessages();
    for (const query of queries) await this.#expectFound(this.#narrowFor(query), all);
  }

  #narrowFor(query: string): ResolvedTerm[] {
    const others: ResolvedTerm[][] = [
      [],
      [{ kind: 'channel', channel: 1, isNegated: false }],
      [{ kind: 'sender', user: CALLER, isNegated: false }],
      [{ kind: 'topic', topic: 'Topic 2', isNegated: false }],
    ];
    return [{ kind: 'search', query: parseSearch(query), isNegated: false }, ...this.random.pick(others)];
  }

  async #expectFound(narrow: ResolvedTerm[], all: Message[]): Promise<void> {
    const { table } = this.#services;
    const end = await readCounter(table);
    const open = await openIndex(table, end);
    if (!open) return;
    const from = this.random.between(1, end);
    const stretch = this.random.pick([
      { from: 1, to: end },
      { from, to: this.random.between(from, end) },
    ]);
    const idsOf = (messages: Message[]): number[] =>
      messages.filter((message) => matches(narrow, message, context)).map(({ messageId }) => messageId);
    const expected = idsOf(
      all.filter(({ messageId }) => stretch.from <= messageId && messageId <= stretch.to),
    );
    for (const isBackwards of [true, false]) {
      const found: number[] = [];
      const terms = termsAsked(narrow, CALLER);
      for await (const page of walkIndex(table, open, terms, { ...stretch, isBackwards }, () => 100))
        found.push(...idsOf(page.messages));
      expect(found, JSON.stringify(narrow)).toEqual(isBackwards ? expected.toReversed() : expected);
    }
  }
}
