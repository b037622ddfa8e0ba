import { type Bitmap, hasBit } from '#shared/domain/reading/bitmap.ts';
import { isMutedFor, type TopicWishes } from '#shared/domain/topics/visibility.ts';
import type { MessageFacts } from './message.ts';

/** Whom a message mentions aloud, as of when its text was written. */
export interface Mentions {
  /** Those whom it names, ascending. */
  userIds?: number[];
  /** The name of the roster of all who were in the groups that it names. */
  members?: string;
  /** Everybody who gets it. */
  everybody?: true;
  /** The name of the roster of all who took part in its topic. */
  participants?: string;
}

export type MentionFlag =
  | 'mentioned'
  | 'stream_wildcard_mentioned'
  | 'topic_wildcard_mentioned'
  | 'wildcard_mentioned';

/** Lists of users that messages name instead of holding them, as far as they were loaded. A roster never changes. */
export class Rosters {
  readonly #byName = new Map<string, Bitmap>();

  add(name: string, userIds: Bitmap): void {
    this.#byName.set(name, userIds);
  }

  isLoaded(name: string): boolean {
    return this.#byName.has(name);
  }

  /** Whether a roster, which must have been loaded, has the user. */
  has(name: string, userId: number): boolean {
    return hasBit(this.#byName.get(name) ?? new Uint8Array(0), userId);
  }
}

type Mentioning = Pick<MessageFacts, 'mentions'>;

/** The rosters that decide whether messages mention somebody. */
export const rosterNamesOf = (messages: Mentioning[]): string[] => [
  ...new Set(
    messages.flatMap(({ mentions }) =>
      [mentions?.members, mentions?.participants].filter((name) => name !== undefined),
    ),
  ),
];

/** The flags by which a message, which the user received, mentions them. Its rosters must have been loaded. */
export function mentionFlagsOf(userId: number, { mentions }: Mentioning, rosters: Rosters): MentionFlag[] {
  if (!mentions) return [];
  const { userIds, members, everybody, participants } = mentions;
  const isMentioned = userIds?.includes(userId) || (members !== undefined && rosters.has(members, userId));
  const isInTopic = participants !== undefined && rosters.has(participants, userId);
  return [
    ...(isMentioned ? ['mentioned' as const] : []),
    ...(everybody ? ['stream_wildcard_mentioned' as const] : []),
    ...(isInTopic ? ['topic_wildcard_mentioned' as const] : []),
    ...(everybody || isInTopic ? ['wildcard_mentioned' as const] : []),
  ];
}

/**
 * Whether a message, which the user received, counts among those that mention them: wildcards do so only where they
 * have not muted the topic.
 */
export function callsOn(
  userId: number,
  message: MessageFacts,
  rosters: Rosters,
  wishes: TopicWishes,
): boolean {
  const flags = mentionFlagsOf(userId, message, rosters);
  if (flags.includes('mentioned')) return true;
  return flags.length > 0 && !(message.kind === 'channel' && isMutedFor(message, wishes));
}

/** Whether two texts mention the same people. */
export const isSameMentions = (one: Mentions | undefined, other: Mentions | undefined): boolean =>
  JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other));

const inOrder = ({ userIds = [], members, everybody, participants }: Mentions = {}) => [
  userIds,
  members,
  everybody,
  participants,
];
