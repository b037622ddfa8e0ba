import { runsOf } from '#shared/domain/search/segments.ts';
import { moveLowWaterMark, moveTended } from '#shared/log/head.ts';
import { indexMessages } from '#shared/search/index-messages.ts';
import { findSearchIndex } from '#shared/search/search-index.ts';
import { findLowWaterMark, readCounter } from '#shared/store/log/log.ts';
import { listMessagesById } from '#shared/store/messages/messages.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { type GeneratedLog, generateLog, planted } from './generated-log.ts';
import { atMost, type Row } from './report.ts';
import type { BenchClient, BenchService } from './service.ts';

const CHANNELS = 10;
const PAGE = 50;
/** The read budget of a search: for words, for a phrase with frequent parts, and for any. */
const USUAL = 150;
const PHRASE = 500;
const WORST = 5_500;

/** Takes seconds, and fills these small segments as a million messages fill the usual ones. */
export const aFew = { messages: 4_000, config: { searchSegment: { positions: 1_000, fanout: 3 } } };

/** The costs to index messages of 200 characters, and to search among them. */
export async function measureSearch(service: BenchService, messages: number): Promise<Row[]> {
  const bo = await service.createUser('Bo');
  const channelIds: number[] = [];
  for (let n = 0; n < CHANNELS; n++) {
    await bo.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: `room ${n}` }] });
    const { stream_id: channelId } = await bo.call('GET', '/get_stream_id', { stream: `room ${n}` });
    channelIds.push(channelId);
  }
  await service.settle();
  const first = (await readCounter(service.services.table)) + 1;
  const log = generateLog(service.services, { channelIds, author: bo.userId, first, count: messages });
  const { table } = service.services;
  await table.write({ kind: 'update', key: organizationKeys.counter('log'), set: { position: log.last } });
  await moveLowWaterMark(service.services, log.last);
  await moveTended(table, log.last);
  return [
    ...(await measureIndexing(service, log, messages)),
    ...(await measureQueries(service, log, bo, channelIds)),
  ];
}

async function measureIndexing(service: BenchService, log: GeneratedLog, messages: number): Promise<Row[]> {
  const { services } = service;
  const segment = services.config.searchSegment.positions;
  const start = performance.now();
  log.takeUsed();
  const used = await service.measure(async () => {
    while (log.last - (await findLowWaterMark(services.table)).indexedPosition >= segment)
      await indexMessages(services);
  });
  const { read } = log.takeUsed();
  const seconds = (performance.now() - start) / 1000;
  const runs = (await findSearchIndex(services.table))?.segments.flatMap(runsOf) ?? [];
  const bytes = runs.reduce((sum, run) => sum + run.bytes, 0);
  const each = (amount: number, digits: number): string => (amount / messages).toFixed(digits);
  return [
    {
      what: `index ${messages} messages of 200 characters, each`,
      measured: `${each(used.write, 3)} WCU ${each(used.read + read, 3)} RCU`,
      budget: '≤ 1 WCU 0.5 RCU',
      isMet: used.write <= messages && used.read + read <= messages / 2,
    },
    atMost('the index, a message', bytes / messages, (size) => `${size.toFixed(0)} bytes`, 200),
    atMost('segments', runs.length, String),
    atMost(
      'buckets',
      runs.reduce((sum, { bits }) => sum + 2 ** bits, 0),
      String,
    ),
    atMost('time for 1 000 messages', (1_000_000 * seconds) / messages, (ms) => `${ms.toFixed(0)} ms`),
  ];
}

async function measureQueries(
  service: BenchService,
  log: GeneratedLog,
  bo: BenchClient,
  channelIds: number[],
): Promise<Row[]> {
  const search = (operand: string) => ({ operator: 'search', operand });
  const channel = { operator: 'channel', operand: channelIds[7] };
  const [message] = await listMessagesById(service.services.table, [log.first + 1_234]);
  const phrase = message?.content.split(' ').slice(2, 5).join(' ');
  const { everyTenth, everyThousandth, everyHundredThousandth } = planted;
  const narrows: [what: string, narrow: object[], maxUnits?: number][] = [
    ['a word of every 10th message', [search(everyTenth.word)]],
    ['a word of every 1 000th', [search(everyThousandth.word)]],
    ['a word of every 100 000th', [search(everyHundredThousandth.word)]],
    ['a word that was never said', [search('antidisestablishment')]],
    ['two words, of every 10th and every 1 000th', [search(`${everyTenth.word} ${everyThousandth.word}`)]],
    ['a word of every 1 000th in a channel', [search(everyThousandth.word), channel]],
    ['a word of every 100 000th in a channel', [search(everyHundredThousandth.word), channel]],
    ['two common words that no message has side by side', [search('"zugzwangs the zugzwangs"')], WORST],
    [`a phrase of three words, ${JSON.stringify(phrase)}`, [search(`"${phrase}"`)], PHRASE],
    ['Japanese, two characters of every 10 000th', [search('東京')]],
    ['Japanese, one character of every 10 000th', [search('写')]],
    ['a user who wrote every 200th', [{ operator: 'sender', operand: bo.userId }]],
  ];
  const rows: Row[] = [];
  for (const [what, narrow, maxUnits = USUAL] of narrows) {
    log.takeUsed();
    let found = 0;
    const start = performance.now();
    const used = await service.measure(async () => {
      const page = await bo.call('GET', '/messages', {
        anchor: 'newest',
        num_before: PAGE,
        num_after: 0,
        narrow,
      });
      found = page.messages.length;
    });
    const ms = performance.now() - start;
    const { read, calls } = log.takeUsed();
    const units = Math.round(used.read + read);
    rows.push({
      what: `page of ${PAGE}: ${what}`,
      measured: `${found} found, ${units} RCU, ${(used.calls ?? 0) + calls} calls, ${ms.toFixed(0)} ms`,
      budget: `≤ ${maxUnits} RCU`,
      isMet: units <= maxUnits,
    });
  }
  return rows;
}
