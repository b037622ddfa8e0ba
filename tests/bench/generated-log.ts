import type { StoredMessage } from '#shared/domain/messages/message.ts';
import type { Services } from '#shared/runtime/services.ts';
import { toItem } from '#shared/store/log/log-entry.ts';
import { logKeys, messageIndex, positionOfSortKey } from '#shared/table/keys/log.ts';
import type { Item, Page, Query, Table } from '#shared/table/table.ts';
import { Random } from '#tests/simulation/random.ts';

/** Words by the frequency of their rank, made of syllables, and the words that the measurements search for. */
const WORDS = 50_000;
const LENGTH = 200;
const PEOPLE = 200;
const TOPICS = 500;
/** Rare words, and how many messages come to one of each. */
export const planted = {
  everyTenth: { word: 'zugzwangs', every: 10 },
  everyThousandth: { word: 'xylophones', every: 1_000 },
  everyHundredThousandth: { word: 'quincunxes', every: 100_000 },
  inTenThousand: { word: '東京タワーの写真', every: 10_000 },
};
const MB = 1_000_000;
const STRONG_UNIT = 4_096;

export interface GeneratedLog {
  first: number;
  last: number;
  /** Units that reading it would have taken, with how many calls, since the last time. */
  takeUsed(): { read: number; calls: number };
}

/**
 * A log of a million messages and more in a simulated table: each message is computed from its position when it is
 * read, since writing them all would take hours and gigabytes. The units of a read are computed like DynamoDB's.
 */
export function generateLog(
  services: Services,
  {
    channelIds,
    author,
    first,
    count,
  }: { channelIds: number[]; author: number; first: number; count: number },
): GeneratedLog {
  const last = first + count - 1;
  const used = { read: 0, calls: 0 };
  const atMs = services.clock.nowMs();
  const textAt = createTexts();
  const itemAt = (position: number): Item =>
    toItem({ position, atMs, writeId: 'generated', events: [], message: messageAt(position) });
  const messageAt = (position: number): StoredMessage => {
    const channelId = channelIds[position % channelIds.length] ?? 0;
    const content = textAt(position);
    return {
      kind: 'channel',
      channelId,
      channelName: `room ${channelId}`,
      isPublic: true,
      topic: `topic ${position % TOPICS}`,
      senderId: position % PEOPLE === 0 ? author : 10_000 + (position % PEOPLE),
      senderEmail: `person${position % PEOPLE}@example.com`,
      senderFullName: `Person ${position % PEOPLE}`,
      senderAvatarVersion: 1,
      client: 'website',
      atSeconds: Math.floor(atMs / 1000),
      content,
      html: `<p>${content}</p>`,
      isReadBySender: true,
    };
  };
  const isGenerated = (position: number): boolean => first <= position && position <= last;
  const charge = (items: Item[], isStrong: boolean | undefined, isOneByOne = false): void => {
    const sizes = items.map((item) => JSON.stringify(item).length);
    const charged = isOneByOne ? sizes : [sizes.reduce((sum, size) => sum + size, 0)];
    used.calls++;
    for (const size of charged)
      used.read += Math.max(1, Math.ceil(size / STRONG_UNIT)) * (isStrong ? 1 : 0.5);
  };
  const { table } = services;
  const original = { findMany: table.findMany, page: table.page, list: table.list };
  const isLog = (pk: string): boolean => pk.startsWith('LOG#');
  const readPage = (query: Query): Page | undefined => {
    const step = stepOf(query, channelIds);
    if (step === undefined || step.partition !== query.partition) return undefined;
    const items: Item[] = [];
    const [from, to] = [
      positionOfSortKey(String(query.from ?? '0')),
      positionOfSortKey(String(query.to ?? '9999999999')),
    ];
    const bounds = { low: Math.max(from, step.low, first), high: Math.min(to, step.high, last) };
    if (bounds.low > bounds.high) return undefined;
    let bytes = 0;
    let position = align(query.backwards ? bounds.high : bounds.low, step, query.backwards ? -1 : 1);
    const isWithin = () => bounds.low <= position && position <= bounds.high;
    for (; isWithin() && bytes < MB && items.length < (query.limit ?? Infinity); ) {
      const item = itemAt(position);
      bytes += JSON.stringify(item).length;
      items.push(item);
      position += query.backwards ? -step.every : step.every;
    }
    charge(items, query.consistent);
    return { items, more: isWithin() };
  };
  const others: Partial<Table> = {
    async findMany(wanted, options) {
      const own = wanted.filter(({ pk, sk }) => isLog(pk) && isGenerated(positionOfSortKey(sk)));
      const items = own.map(({ sk }) => itemAt(positionOfSortKey(sk)));
      if (own.length > 0) charge(items, !options?.eventually, true);
      const left = wanted.filter((key) => !own.includes(key));
      return left.length === 0 ? items : [...items, ...(await original.findMany.call(table, left, options))];
    },
    page: async (query) => readPage(query) ?? original.page.call(table, query),
    async list(query) {
      const page = readPage(query);
      if (!page) return original.list.call(table, query);
      const items = [...page.items];
      for (let next = page; next.more; ) {
        const from = String(Number(items.at(-1)?.sk) + 1);
        next = readPage({ ...query, from }) ?? { items: [], more: false };
        items.push(...next.items);
      }
      return items;
    },
  };
  Object.assign(table, others);
  return {
    first,
    last,
    takeUsed() {
      const taken = { ...used };
      Object.assign(used, { read: 0, calls: 0 });
      return taken;
    },
  };
}

interface Step {
  partition: string;
  every: number;
  rest: number;
  low: number;
  high: number;
}

/** Which positions a partition of the log, or of the index of channels, holds. */
function stepOf({ partition, index }: Query, channelIds: number[]): Step | undefined {
  const everywhere = { low: 0, high: Number.POSITIVE_INFINITY };
  if (index === messageIndex.byChannel) {
    const rest = channelIds.findIndex((id) => messageIndex.channel(id) === partition);
    return rest < 0 ? undefined : { partition, every: channelIds.length, rest, ...everywhere };
  }
  const block = /^LOG#(\d+)$/.exec(partition)?.[1];
  if (index !== undefined || block === undefined) return undefined;
  const low = Number(block) * 1_000;
  return { partition: logKeys.entry(low).pk, every: 1, rest: 0, low, high: low + 999 };
}

/** The nearest position of a step in a direction. */
function align(position: number, { every, rest }: Step, direction: number): number {
  let aligned = position;
  while (aligned % every !== rest) aligned += direction;
  return aligned;
}

function createTexts(): (position: number) => string {
  const random = new Random(1);
  const words = Array.from({ length: WORDS }, () => inventWord(random));
  let sum = 0;
  const shares = words.map((_, rank) => {
    sum += 1 / (rank + 1);
    return sum;
  });
  return (position) => {
    const draw = new Random(position);
    const text = Object.values(planted)
      .filter(({ every }) => position % every === 7)
      .map(({ word }) => word);
    for (let length = text.join(' ').length; length < LENGTH; ) {
      const word = words[rankOf(shares, draw.fraction() * sum)] ?? '';
      text.push(word);
      length += word.length + 1;
    }
    return text.join(' ');
  };
}

function rankOf(shares: number[], drawn: number): number {
  let low = 0;
  let high = shares.length - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((shares[middle] ?? 0) < drawn) low = middle + 1;
    else high = middle;
  }
  return low;
}

function inventWord(random: Random): string {
  const syllable = (): string =>
    random.pick([...'bcdfghjklmnprstvw']) +
    random.pick([...'aeiou']) +
    (random.chance(0.4) ? random.pick([...'lmnrst']) : '');
  return Array.from({ length: random.between(1, 4) }, syllable).join('');
}
