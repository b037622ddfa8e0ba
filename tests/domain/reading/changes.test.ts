import { describe, expect, test } from 'vitest';
import { type Change, writesAt } from '#shared/domain/change.ts';
import type { MessageFacts } from '#shared/domain/messages/message.ts';
import { withBits } from '#shared/domain/reading/bitmap.ts';
import { rareFlagChanges, readChanges, unreadChanges } from '#shared/domain/reading/changes.ts';
import { unpackIds } from '#shared/domain/reading/id-list.ts';
import { Marks } from '#shared/domain/reading/marks.ts';
import { firstOfMarkBlock } from '#shared/table/keys/log.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Write } from '#shared/table/table.ts';
import type { AnyPayload } from '#tests/harness/any-event.ts';

const USER = 7;
const empty = new Uint8Array();

/** A user who has marked these messages of the first block as unread, and starred those. */
function ownerOf(unread: number[], starred: number[] = []) {
  const marks = new Marks({
    ...{
      floor: 0,
      revision: 4,
      markedAllAt: 0,
      starredBlocks: new Set(),
      collapsedBlocks: new Set(),
      hiddenPreviewBlocks: new Set(),
    },
    unreadBlocks: new Set(unread.length > 0 ? [0] : []),
  });
  marks.addBlock({
    ...{ block: 0, revision: 2, markedAllAt: 0, read: empty },
    unread: withBits(empty, unread),
  });
  if (starred.length > 0) marks.addFlagged('starred', { block: 0, revision: 2, ids: new Set(starred) });
  return { userId: USER, marks };
}

const writesOf = (change: Change): Write[] => writesAt(change, 1);
/** The writes to the root of the read state. */
const noted = (changes: Change[]) =>
  changes.flatMap(writesOf).flatMap((write) => {
    if (write.kind !== 'update' || write.key.sk !== userKeys.readState(USER).sk) return [];
    const { add, take } = write;
    return [{ ...(add && { add }), ...(take && { take }) }];
  });
/** The messages in each change's event. */
const idsOf = (changes: Change[]) =>
  changes.map(({ events = [] }) =>
    events.flatMap((event) => {
      const payload: AnyPayload = event.payload;
      const places = (payload.places as { ids: Uint8Array }[] | undefined) ?? [
        { ids: payload.ids as Uint8Array },
      ];
      return places.flatMap(({ ids }) => unpackIds(ids));
    }),
  );

/** One message of each of so many blocks, from the first on. */
const inBlocks = (count: number) => Array.from({ length: count }, (_, block) => firstOfMarkBlock(block) + 1);

describe('Messages that become read', () => {
  test('Get a note only if nothing of their block stays marked as unread', () => {
    expect(noted(readChanges(ownerOf([]), [3]))).toEqual([]);
    expect(noted(readChanges(ownerOf([3, 4]), [3]))).toEqual([]);
    expect(noted(readChanges(ownerOf([3, 4]), [5]))).toEqual([]);
    expect(noted(readChanges(ownerOf([3, 4]), [3, 4]))).toEqual([{ take: { unreadBlocks: new Set([0]) } }]);
    expect(noted(readChanges(ownerOf([3]), [3, 9]))).toEqual([{ take: { unreadBlocks: new Set([0]) } }]);
  });

  test('Lose the list of unread ones with the last of them', () => {
    const [left, gone] = [[3, 4], [3]].map((unread) => writesOf(readChanges(ownerOf(unread), [3])[0]!)[0]);
    expect(left).toMatchObject({ set: { unread: withBits(empty, [4]) } });
    expect(left).not.toHaveProperty('remove');
    expect(gone).toMatchObject({ remove: ['unread'] });
    expect(gone).not.toHaveProperty('set.unread');
  });

  test('Change in eighty blocks at a time, the newest first', () => {
    const changes = readChanges(ownerOf([]), inBlocks(81));
    expect(changes.map((change) => writesOf(change).length)).toEqual([80, 1]);
    expect(idsOf(changes)).toEqual([inBlocks(81).slice(1), [1]]);
  });
});

test('Marks decide about messages above the floor, and where some are marked as unread', () => {
  const { marks } = ownerOf([]);
  marks.state.floor = 10;
  expect([9, 10, 11].map((id) => marks.decidesOn(id))).toEqual([false, false, true]);
  marks.state.unreadBlocks.add(0);
  expect(marks.decidesOn(9)).toBe(true);
});

describe('Messages that become unread', () => {
  const messages = (ids: number[]) =>
    ids.map((messageId) => ({ messageId, kind: 'direct', recipients: [{ id: USER }] }) as MessageFacts);
  const hearing = { isMuted: () => false, isCall: () => false };

  test('Come once each, with notes for their blocks, one change after the other', () => {
    const changes = unreadChanges(ownerOf([]), messages([...inBlocks(81), 1]), hearing);
    expect(noted(changes)).toEqual([
      { add: { unreadBlocks: new Set(Array.from({ length: 80 }, (_, n) => 80 - n)) } },
      { add: { unreadBlocks: new Set([0]) } },
    ]);
    expect(idsOf(changes)).toEqual([inBlocks(81).slice(1), [1]]);
    const states = changes.map((change) => writesOf(change).at(-1));
    expect(states).toMatchObject(
      [5, 6].map((revision) => ({ set: { revision }, condition: { belowOrAbsent: { revision } } })),
    );
  });
});

describe('A block of starred messages', () => {
  const starring = (starred: number[], op: 'add' | 'remove', ids: number[]) =>
    rareFlagChanges(ownerOf([], starred), { flag: 'starred', op }, ids);

  test('Gets its note with its first star, and loses it with the last', () => {
    expect(noted(starring([], 'add', [3, 4]))).toEqual([{ add: { starredBlocks: new Set([0]) } }]);
    expect(noted(starring([3], 'add', [4]))).toEqual([]);
    expect(noted(starring([3, 4], 'remove', [3]))).toEqual([]);
    expect(noted(starring([3, 4], 'remove', [3, 4]))).toEqual([{ take: { starredBlocks: new Set([0]) } }]);
  });

  test('Changes beside others, with a note for each that turns', () => {
    const other = firstOfMarkBlock(1) + 1;
    expect(noted(starring([3], 'add', [4, other]))).toEqual([{ add: { starredBlocks: new Set([1]) } }]);
    expect(idsOf(starring([3], 'add', [4, other]))).toEqual([[4, other]]);
  });
});
