import type { PollSlot, PollSlots } from '#shared/domain/polls/slots.ts';
import { type PollSubject, queueKeys } from '#shared/table/keys/queues.ts';
import { ConditionFailed, type Item, type Table } from '#shared/table/table.ts';

/** Longer than any poll waits. */
const KEPT_SECONDS = 3600;
const SLOT = /^s(\d+)$/;

const nameOf = (slot: number): string => `s${slot}`;

const toSlots = (item: Item = {}): PollSlots =>
  new Map(
    Object.entries(item).flatMap(([name, value]) => {
      const slot = SLOT.exec(name)?.[1];
      return slot === undefined ? [] : [[Number(slot), value as PollSlot] as const];
    }),
  );

/** The running polls; eventually consistent. Half a read unit. */
export const readPollSlots = async (table: Table, subject: PollSubject): Promise<PollSlots> =>
  toSlots(await table.find(queueKeys.pollSlots(subject), { eventually: true }));

/**
 * Updates slots on condition that they are unchanged. Usually one write unit. On conflict, returns their
 * content at the time of the attempt.
 */
export async function writePollSlots(
  table: Table,
  subject: PollSubject,
  { seen, next, nowSeconds }: { seen: PollSlots; next: ReadonlyMap<number, PollSlot>; nowSeconds: number },
): Promise<PollSlots | undefined> {
  const filled = [...next.keys()];
  const known = filled.filter((slot) => seen.has(slot));
  try {
    await table.write(
      {
        kind: 'update',
        key: queueKeys.pollSlots(subject),
        set: {
          ...Object.fromEntries([...next].map(([slot, poll]) => [nameOf(slot), poll])),
          expiresAtSeconds: nowSeconds + KEPT_SECONDS,
        },
        condition: {
          equals: Object.fromEntries(known.map((slot) => [nameOf(slot), seen.get(slot)])),
          absent: filled.filter((slot) => !seen.has(slot)).map(nameOf),
        },
      },
      // After a failure of the power no poll waits.
      { mayBeLost: true },
    );
    return undefined;
  } catch (failure) {
    if (failure instanceof ConditionFailed) return toSlots(failure.existing);
    throw failure;
  }
}
