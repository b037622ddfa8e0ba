import type { ConnectionPart } from '#shared/domain/sockets/connection.ts';
import { dealTo, type KnownPart, PARTS } from '#shared/domain/sockets/parts.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { socketKeys, socketsOfPart } from '#shared/table/keys/queues.ts';
import type { Item } from '#shared/table/table.ts';

type Around = Pick<Services, 'table' | 'clock' | 'config'>;

/** A part stays in use for so long after its connections must have ended, so that not each of them writes that down. */
const SPARE_SECONDS = 3_600;

/** Whether an item beside the connections is one, and not the note of the parts. */
export const isConnection = ({ sk }: Item): boolean => sk !== socketKeys.parts().sk;

const countOf = (part: number): string => `count${part}`;
const untilOf = (part: number): string => `until${part}`;

/** The parts as their note has them: the first one always, others as long as they may have connections. */
function toParts(note: Item = {}, nowSeconds: number): KnownPart[] {
  return Array.from({ length: PARTS }, (_, number) => ({
    number,
    count: Number(note[countOf(number)] ?? 0),
    untilSeconds: number === 0 ? Infinity : Number(note[untilOf(number)] ?? 0),
  })).filter(({ untilSeconds }) => untilSeconds > nowSeconds);
}

const nowOf = ({ clock }: Around): number => toSeconds(clock.nowMs());

/**
 * The part of a new connection, which stays in it. The part is in use before this returns: a pusher that looks later at
 * the parts finds it, and one that has looked before pushes entries that the connection finds by itself.
 */
export async function dealPart(around: Around, expiresAtSeconds: number): Promise<number> {
  const { table, config } = around;
  const key = socketKeys.parts();
  const known = toParts(await table.find(key), nowOf(around));
  const number = dealTo(known, config.socketsOfPusher);
  const untilSeconds = known.find((part) => part.number === number)?.untilSeconds ?? 0;
  const isLonger = untilSeconds < expiresAtSeconds;
  await table.increment(key, countOf(number), 1, {
    ...(isLonger && { [untilOf(number)]: expiresAtSeconds + SPARE_SECONDS }),
  });
  return number;
}

/** The parts that may have connections. */
export async function partsInUse(around: Around): Promise<ConnectionPart[]> {
  return toParts(await around.table.find(socketKeys.parts()), nowOf(around));
}

/**
 * The parts that have connections. One read returns the first part and the note of the others. The noted size of an empty
 * part, which no pusher sees, is corrected.
 */
export async function listParts(around: Around): Promise<ConnectionPart[]> {
  const isFilled = async (part: number) => {
    const { items } = await around.table.page({ partition: socketsOfPart(part), limit: 2, consistent: true });
    return { items, isFilled: items.some(isConnection) };
  };
  const first = await isFilled(0);
  const known = toParts(
    first.items.find((item) => !isConnection(item)),
    nowOf(around),
  );
  const filled = await Promise.all(
    known.map(async (part) => {
      const { isFilled: has } = part.number === 0 ? first : await isFilled(part.number);
      if (!has) await correctPart(around, part, 0);
      return has;
    }),
  );
  return known.filter((_, index) => filled[index]).map(({ number, count }) => ({ number, count }));
}

/** Corrects the noted size of a part if it is wrong by more than a tenth of the maximum. Returns the noted size. */
export async function correctPart(
  { table, config }: Around,
  { number, count: noted }: ConnectionPart,
  count: number,
): Promise<number> {
  if (Math.abs(noted - count) <= config.socketsOfPusher / 10) return noted;
  await table.write({ kind: 'update', key: socketKeys.parts(), set: { [countOf(number)]: count } });
  return count;
}
