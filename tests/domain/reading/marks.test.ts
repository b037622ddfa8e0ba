import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writesAt } from '#shared/domain/change.ts';
import { isUnread, onlySubscription } from '#shared/domain/messages/access.ts';
import type { MessageFacts } from '#shared/domain/messages/message.ts';
import { bitsOf, emptyBitmap, hasBit, withBits, withoutBits } from '#shared/domain/reading/bitmap.ts';
import { markAllChange, readChanges, unreadChanges } from '#shared/domain/reading/changes.ts';
import { packIds, unpackIds } from '#shared/domain/reading/id-list.ts';
import { type MarkBlock, Marks, type ReadState } from '#shared/domain/reading/marks.ts';
import { subscribeAt } from '#shared/domain/subscriptions/subscription.ts';
import type { User } from '#shared/domain/users/user.ts';
import { markBlockOf } from '#shared/table/keys/log.ts';
import type { Write } from '#shared/table/table.ts';
import { always } from '#tests/harness/property.ts';

const indexes = fc.array(fc.nat({ max: 6_999 }), { maxLength: 60 });

describe('A bitmap', () => {
  test('Has the set of numbers that were added and not removed, and no unneeded bytes', () => {
    always(
      fc.property(indexes, indexes, (added, removed) => {
        const bitmap = withoutBits(withBits(emptyBitmap, added), removed);
        const expected = [...new Set(added)].filter((one) => !removed.includes(one)).sort((a, b) => a - b);
        expect(bitsOf(bitmap)).toEqual(expected);
        for (const one of [...added, ...removed]) expect(hasBit(bitmap, one)).toBe(expected.includes(one));
        const highest = expected.filter((one) => one !== 6_999).at(-1) ?? -8;
        expect(withoutBits(bitmap, [6_999]).length).toBe(Math.floor((highest + 8) / 8));
      }),
    );
  });
});

describe('A packed list of ids', () => {
  test('Unpacks to the list, ascending', () => {
    always(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 2_147_483_647 })), (ids) => {
        expect(unpackIds(packIds(ids))).toEqual([...ids].sort((a, b) => a - b));
      }),
    );
  });

  test('Needs little more than a byte for each of many that are close together', () => {
    const ids = Array.from({ length: 5_000 }, (_, n) => 1_000_000 + 7 * n);
    expect(packIds(ids).length).toBeLessThan(5_010);
  });
});

/** A user's items, as the writes of changes leave them; conditions are the table's business. */
class Items {
  state: ReadState = {
    floor: 0,
    revision: 0,
    markedAllAt: 0,
    unreadBlocks: new Set(),
    starredBlocks: new Set(),
    collapsedBlocks: new Set(),
    hiddenPreviewBlocks: new Set(),
  };
  readonly #blocks = new Map<string, MarkBlock>();

  marks(): Marks {
    const marks = new Marks(structuredClone(this.state));
    for (const block of this.#blocks.values()) marks.addBlock(block);
    return marks;
  }

  apply(write: Write): void {
    if (write.kind !== 'update') throw new Error(`Unexpected ${write.kind}`);
    if (!write.key.sk.endsWith('STATE')) {
      this.#blocks.set(write.key.sk, { unread: emptyBitmap, ...write.set } as unknown as MarkBlock);
      return;
    }
    Object.assign(this.state, write.set);
    if (write.remove?.includes('unreadBlocks')) this.state.unreadBlocks = new Set();
    for (const block of (write.add?.unreadBlocks as Set<number>) ?? []) this.state.unreadBlocks.add(block);
    for (const block of write.take?.unreadBlocks ?? []) this.state.unreadBlocks.delete(block);
  }
}

const user = { userId: 1 } as User;
const subscription = subscribeAt(undefined, { userId: 1, channelId: 5 }, '#000000', 0);
const messageAt = (messageId: number): MessageFacts => ({
  messageId,
  kind: 'channel',
  channelId: 5,
  topic: 'a',
  senderId: messageId % 3 === 0 ? 1 : 2,
  isReadBySender: messageId % 6 === 0,
});

const positions = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 6_980, max: 7_020 }));
const step = fc.oneof(
  fc.record({
    kind: fc.constantFrom('read' as const, 'unread' as const),
    ids: fc.uniqueArray(positions, { minLength: 1, maxLength: 8 }),
  }),
  fc.record({ kind: fc.constant('all' as const), at: fc.integer({ min: 1, max: 8_000 }) }),
);

describe('The read state of a user', () => {
  test('Follows their last action on each message, however floors, blocks and marks store it', () => {
    const all = Array.from({ length: 7_030 }, (_, n) => n + 1);
    always(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const items = new Items();
        const unread = new Set(all.filter((id) => !(messageAt(id).senderId === 1 && id % 6 === 0)));
        let end = 0;
        for (const one of steps) {
          const owner = { userId: 1, marks: items.marks() };
          const isNow = (id: number) =>
            isUnread(user, messageAt(id), onlySubscription(subscription), owner.marks);
          if (one.kind === 'all') {
            // Positions only grow.
            end = Math.max(end + 1, one.at);
            for (const write of writesAt(markAllChange(owner), end)) items.apply(write);
            for (const id of [...unread]) if (id <= end) unread.delete(id);
            continue;
          }
          const isRead = one.kind === 'read';
          const ids = one.ids.filter((id) => isNow(id) === isRead);
          const changes = isRead
            ? readChanges(owner, ids)
            : unreadChanges(owner, ids.map(messageAt), { isMuted: () => false, isCall: () => false });
          for (const change of changes) for (const write of writesAt(change, end + 1)) items.apply(write);
          for (const id of ids) isRead ? unread.delete(id) : unread.add(id);
          end = Math.max(end, ...one.ids);
        }
        const marks = items.marks();
        const found = all.filter((id) =>
          isUnread(user, messageAt(id), onlySubscription(subscription), marks),
        );
        expect(found).toEqual(all.filter((id) => unread.has(id)));
        if (found.length > 0) expect(marks.lowestUnread).toBeLessThanOrEqual(found[0] ?? 0);
        for (const id of found) expect(marks.decidesOn(id)).toBe(true);
        expect([...marks.state.unreadBlocks].sort()).toEqual(
          [...new Set(marks.listMarkedUnread().map(markBlockOf))].sort(),
        );
      }),
    );
  });
});
