import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  changeOf,
  emptyBlockSummary,
  extendBlockSummary,
  readBlockSummary,
  withChanges,
} from '#shared/domain/messages/block-summary.ts';
import type { Message, MessageFacts } from '#shared/domain/messages/message.ts';
import { always } from '#tests/harness/property.ts';
import { channelMessage } from '#tests/harness/samples.ts';

const base = {
  senderEmail: 'a@example.com',
  senderFullName: 'A',
  senderAvatarVersion: 1,
  client: 'website',
  atSeconds: 1,
  content: 'hi',
  html: '<p>hi</p>',
};

const place = fc.oneof(
  fc.record({
    kind: fc.constant('channel' as const),
    channelId: fc.integer({ min: 1, max: 3 }),
    topic: fc.constantFrom('', 'logo', 'lunch'),
    channelName: fc.constant('c'),
    isPublic: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('direct' as const),
    recipients: fc
      .uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 })
      .map((ids) => ids.sort().map((id) => ({ id, email: `u${id}@example.com`, fullName: `U${id}` }))),
  }),
);

/** Some came from another channel. */
const placed = fc
  .tuple(place, fc.boolean())
  .map(([where, isMoved]) =>
    where.kind === 'channel' && isMoved
      ? { ...where, journey: { sentIn: 9, stops: [{ channelId: where.channelId, at: 3_500 }] } }
      : where,
  );

/** Most mention no user. */
const called = fc
  .option(fc.record({ userIds: fc.constantFrom([1], [2, 3]) }), { freq: 2 })
  .map((mentions) => (mentions ? { mentions } : {}));

/** Messages at ascending positions of a block that begins after 2999. */
const messages = fc
  .array(
    fc.tuple(placed, called, fc.integer({ min: 1, max: 5 }), fc.boolean(), fc.integer({ min: 1, max: 9 })),
    { maxLength: 40 },
  )
  .map((rows) => {
    let messageId = 2_999;
    return rows.map(([where, mentions, senderId, isReadBySender, step]) => {
      messageId += step;
      return { ...base, ...where, ...mentions, senderId, isReadBySender, messageId } as Message;
    });
  });

/** The later fate of each of these messages: deleted, changed, or unchanged. */
const fates = fc.array(
  fc.oneof(
    fc.constant('deleted' as const),
    fc.tuple(placed, called).map(([where, mentions]) => ({ ...where, ...mentions })),
    fc.constant(undefined),
  ),
  { minLength: 40, maxLength: 40 },
);

/** The attributes that decide about a message. */
const factsOf = (message: Message): MessageFacts => ({
  messageId: message.messageId,
  senderId: message.senderId,
  isReadBySender: message.isReadBySender,
  ...(message.mentions && { mentions: message.mentions }),
  ...(message.kind === 'channel'
    ? {
        ...{ kind: 'channel', channelId: message.channelId, topic: message.topic },
        ...(message.journey && { journey: message.journey }),
      }
    : { kind: 'direct', recipients: message.recipients.map(({ id }) => ({ id })) }),
});

describe('The digest of a block', () => {
  test('Has for every message its place, its sender and whether they have read it, however it was extended', () => {
    always(
      fc.property(messages, fc.nat({ max: 40 }), (all, cut) => {
        const end = (part: Message[]): number => part.at(-1)?.messageId ?? 2_999;
        const first = all.slice(0, cut);
        const once = extendBlockSummary(emptyBlockSummary(2_999), all, 3_999);
        const half = extendBlockSummary(emptyBlockSummary(2_999), first, end(first));
        const twice = extendBlockSummary(half, all.slice(cut), 3_999);
        expect(twice).toEqual(once);
        expect(readBlockSummary(once)).toEqual(all.map(factsOf));
      }),
    );
  });

  test('Has for every message its later changes', () => {
    always(
      fc.property(messages, fates, (all, later) => {
        const digest = extendBlockSummary(emptyBlockSummary(2_999), all, 3_999);
        const now = all.map((message, n) => {
          const fate = later[n];
          if (fate === undefined || fate === 'deleted') return fate ?? message;
          const { messageId, senderId, isReadBySender } = message;
          return { ...base, ...fate, messageId, senderId, isReadBySender } as Message;
        });
        const changes = new Map(
          now.flatMap((state, n) => {
            const changed = state === 'deleted' ? state : changeOf(state);
            return state === all[n] ? [] : [[all[n]?.messageId ?? 0, changed] as const];
          }),
        );
        const left = now.filter((state) => state !== 'deleted');
        const changed = withChanges(digest, changes);
        expect(readBlockSummary(changed)).toEqual(left.map(factsOf));
        expect('mentions' in changed).toBe(
          changes.size === 0 ? 'mentions' in digest : left.some(({ mentions }) => mentions),
        );
      }),
    );
  });

  test('Gets read once by a process that caches it, and each time by one that may change it', () => {
    const message = { ...base, kind: 'direct', recipients: [], senderId: 1, messageId: 3_000 } as never;
    const changing = extendBlockSummary(emptyBlockSummary(2_999), [message], 3_999);
    expect(readBlockSummary(changing)).not.toBe(readBlockSummary(changing));
    Object.freeze(changing.messages);
    expect(readBlockSummary(changing)).toBe(readBlockSummary(changing));
  });

  test('Spells a topic like its newest message', () => {
    const at = (messageId: number, topic: string) => channelMessage({ messageId, topic });
    const digest = extendBlockSummary(emptyBlockSummary(-1), [at(1, 'Lunch'), at(2, 'lunch')], 2);
    expect(digest.places).toEqual([{ channelId: 1, topic: 'lunch' }]);
  });

  test('Stores a message in some ten bytes', () => {
    const many = Array.from({ length: 1_000 }, (_, n) =>
      channelMessage({
        messageId: 3_000 + n,
        topic: `topic ${n % 50}`,
        senderId: 12_345,
        isReadBySender: true,
      }),
    );
    const { messages: numbers } = extendBlockSummary(emptyBlockSummary(2_999), many, 3_999);
    // A number takes about a byte for two digits and two more in DynamoDB.
    const bytes = numbers.reduce((sum, number) => sum + 2 + Math.ceil(String(number).length / 2), 0);
    expect(bytes / many.length).toBeLessThan(13);
  });
});
