import type { Change } from '#shared/domain/change.ts';
import { chunksOf } from '#shared/domain/chunks.ts';
import type { MessageFacts } from '#shared/domain/messages/message.ts';
import { markBlockOf } from '#shared/table/keys/log.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Write } from '#shared/table/table.ts';
import { withBits, withoutBits } from './bitmap.ts';
import { flagEvent, type Hearing, markAllEvent, unreadEvent } from './events.ts';
import type { FlagEdit } from './flag-edit.ts';
import { flaggedBlocksIn, indexInBlock, type MarkBlock, type Marks, type RareFlag } from './marks.ts';

/** This many blocks of marks and the read state fit into one transaction. */
const BLOCKS_PER_CHANGE = 80;

type Update = Extract<Write, { kind: 'update' }>;

/** The user whose loaded marks change. */
export interface MarkOwner {
  userId: number;
  marks: Marks;
}

/**
 * Marks unread messages as read. Their blocks must be loaded. Marks as read below the floor stay as they were when the
 * floor passed, because late polls of "mark all as read" depend on them.
 */
export const readChanges = ({ userId, marks }: MarkOwner, messageIds: number[]): Change[] =>
  inBatches(messageIds).map((blocks) => {
    const emptied: number[] = [];
    const writes = blocks.map(([number, ids]) => {
      const block = marks.blockOf(number);
      const unread = withoutBits(block.unread, ids.map(indexInBlock));
      if (block.unread.length > 0 && unread.length === 0) emptied.push(number);
      return blockWrite(userId, block, { read: withBits(block.read, aboveFloor(marks, ids)), unread });
    });
    const closing: Update[] =
      emptied.length > 0
        ? [{ kind: 'update', key: userKeys.readState(userId), take: { unreadBlocks: new Set(emptied) } }]
        : [];
    const changed = blocks.flatMap(([, ids]) => ids);
    return {
      writes: (position) => [...writes.map((writeAt) => writeAt(position)), ...closing],
      events: [flagEvent(userId, { flag: 'read', op: 'add' }, changed)],
    };
  });

/** Marks read messages as unread. Their blocks must be loaded. */
export function unreadChanges(
  { userId, marks }: MarkOwner,
  messages: MessageFacts[],
  hearing: Hearing,
): Change[] {
  const byId = new Map(messages.map((message) => [message.messageId, message]));
  return inBatches([...byId.keys()]).map((blocks, batch) => {
    const writes = blocks.map(([number, ids]) => {
      const block = marks.blockOf(number);
      const read = withoutBits(block.read, aboveFloor(marks, ids));
      return blockWrite(userId, block, { read, unread: withBits(block.unread, ids.map(indexInBlock)) });
    });
    const changed = blocks.flatMap(([, ids]) => ids.flatMap((id) => byId.get(id) ?? []));
    return {
      writes: (position) => [
        ...writes.map((writeAt) => writeAt(position)),
        {
          ...stateWrite(userId, marks.state.revision + batch),
          add: { unreadBlocks: new Set(blocks.map(([number]) => number)) },
        },
      ],
      events: [unreadEvent(userId, changed, hearing)],
    };
  });
}

/**
 * Marks everything as read with one write that moves the floor. Blocks with messages marked as unread must be
 * loaded.
 */
export const markAllChange = ({ userId, marks }: MarkOwner): Change => {
  const write = stateWrite(userId, marks.state.revision);
  return {
    writes: (position) => [
      { ...write, set: { ...write.set, floor: position, markedAllAt: position }, remove: ['unreadBlocks'] },
    ],
    events: [markAllEvent(userId, marks.state.floor, marks.listMarkedUnread())],
  };
};

/** Adds a rare flag to messages that lack it, or removes it. Their blocks must be loaded. */
export const rareFlagChanges = (
  { userId, marks }: MarkOwner,
  { flag, op }: FlagEdit & { flag: RareFlag },
  messageIds: number[],
): Change[] =>
  inBatches(messageIds).map((blocks) => {
    const writes = blocks.map(([number, ids]): Update => {
      const { revision } = marks.flaggedOf(flag, number);
      const changed = { ids: new Set(ids) };
      return {
        kind: 'update',
        key: userKeys.flagged(userId, flag, number),
        set: { block: number, revision: revision + 1 },
        ...(op === 'add' ? { add: changed } : { take: changed }),
        condition: { belowOrAbsent: { revision: revision + 1 } },
      };
    });
    const turned = blocks.filter(
      ([number, ids]) => marks.flaggedOf(flag, number).ids.size === (op === 'add' ? 0 : ids.length),
    );
    const attribute = { [flaggedBlocksIn[flag]]: new Set(turned.map(([number]) => number)) };
    const noting: Update[] =
      turned.length > 0
        ? [
            {
              kind: 'update',
              key: userKeys.readState(userId),
              ...(op === 'add' ? { add: attribute } : { take: attribute }),
            },
          ]
        : [];
    const changed = blocks.flatMap(([, ids]) => ids);
    return { writes: [...writes, ...noting], events: [flagEvent(userId, { flag, op }, changed)] };
  });

/** Groups message ids by block, newest first, in batches that fit into one transaction. */
function inBatches(messageIds: number[]): [block: number, ids: number[]][][] {
  const blocks = [...Map.groupBy(messageIds, markBlockOf)].sort(([a], [b]) => b - a);
  return chunksOf(blocks, BLOCKS_PER_CHANGE);
}

const aboveFloor = ({ state: { floor } }: Marks, messageIds: number[]): number[] =>
  messageIds.filter((id) => id > floor).map(indexInBlock);

function blockWrite(
  userId: number,
  { block, revision, markedAllAt, unawareAt = 0 }: MarkBlock,
  { read, unread }: Pick<MarkBlock, 'read' | 'unread'>,
): (position: number) => Update {
  const isPlain = unread.length === 0;
  const set = { block, revision: revision + 1, markedAllAt, read };
  return (position) => ({
    kind: 'update',
    key: userKeys.marks(userId, block),
    set: { ...set, writtenAt: position, ...(unawareAt > 0 && { unawareAt }), ...(!isPlain && { unread }) },
    ...(isPlain && { remove: ['unread'] }),
    condition: { belowOrAbsent: { revision: revision + 1 } },
  });
}

/** Changes the read state on condition that it has not changed since it was loaded. */
const stateWrite = (userId: number, revision: number): Update => ({
  kind: 'update',
  key: userKeys.readState(userId),
  set: { revision: revision + 1 },
  condition: { belowOrAbsent: { revision: revision + 1 } },
});
