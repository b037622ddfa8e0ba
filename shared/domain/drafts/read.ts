import { BadRequest } from '#shared/domain/errors.ts';
import { checkContent } from '#shared/domain/messages/compose.ts';
import { checkRecipientCount } from '#shared/domain/messages/destination.ts';
import { checkTentativeTopic } from '#shared/domain/messages/topic.ts';
import type { DraftTarget, DraftText } from './draft.ts';

/** A draft object as a client sends it. */
export interface GivenDraft {
  type: '' | 'private' | 'stream';
  to: number[];
  topic: string;
  content: string;
  timestamp?: number | undefined;
}

/** The state needed to read drafts. */
export interface DraftAddresses {
  authorId: number;
  /** The named people who exist. */
  userIds: Set<number>;
  /** The named channels that the author may know of. */
  channelIds: Set<number>;
}

/** Checks what needs no stored state. @throws BadRequest */
export function checkGivenDraft({ type, to, timestamp = 0 }: GivenDraft): void {
  if (timestamp < 0) throw new BadRequest('Timestamp must not be negative.');
  if (type === 'stream' && to.length !== 1)
    throw new BadRequest('Must specify exactly 1 channel ID for channel messages');
  if (type === 'private' && to.length > 0) checkRecipientCount(to);
}

/** The draft to store; unknown users are left out. @throws BadRequest */
export function readDraft(input: GivenDraft, addresses: DraftAddresses, nowSeconds: number): DraftText {
  return {
    content: checkContent(input.content),
    editedAtSeconds: Math.floor(input.timestamp ?? nowSeconds),
    target: readTarget(input, addresses),
  };
}

function readTarget({ type, to, topic }: GivenDraft, addresses: DraftAddresses): DraftTarget {
  const tentative = checkTentativeTopic(topic);
  if (type === '') return { kind: 'nowhere' };
  if (type === 'private') return { kind: 'direct', userIds: readPeople(to, addresses) };
  const channelId = to.find((id) => addresses.channelIds.has(id));
  if (channelId === undefined) throw new BadRequest('Invalid channel ID');
  return { kind: 'channel', channelId, topic: tentative };
}

function readPeople(to: number[], { authorId, userIds }: DraftAddresses): number[] {
  const people = [...new Set(to)].filter((id) => userIds.has(id)).sort((a, b) => a - b);
  const others = people.filter((id) => id !== authorId);
  return others.length > 0 ? others : people;
}
