import { type Bitmap, hasBit } from '#shared/domain/reading/bitmap.ts';
import { isMutedFor, type TopicWishes } from '#shared/domain/topics/visibility.ts';
import type { MessageFacts } from './message.ts';

/** The non-silent mentions of a message, as of the time its text was written. */
export interface Mentions {
  /** The users mentioned by name, ascending. */
  userIds?: number[];
  /** The name of the recipient set of all members of the mentioned groups. */
  members?: string;
  /** All recipients of the message. */
  everybody?: true;
  /** The name of the recipient set of all participants of its topic. */
  participants?: string;
}

export type MentionFlag =
  | 'mentioned'
  | 'stream_wildcard_mentioned'
  | 'topic_wildcard_mentioned'
  | 'wildcard_mentioned';

/** Lists of users that messages refer to by name; only loaded ones are available. A list never changes. */
export class RecipientSets {
  readonly #byName = new Map<string, Bitmap>();

  add(name: string, userIds: Bitmap): void {
    this.#byName.set(name, userIds);
  }

  isLoaded(name: string): boolean {
    return this.#byName.has(name);
  }

  /** Whether a list, which must be loaded, contains the user. */
  has(name: string, userId: number): boolean {
    const userIds = this.#byName.get(name);
    return userIds !== undefined && hasBit(userIds, userId);
  }
}

type Mentioning = Pick<MessageFacts, 'mentions'>;

/** The lists that decide whether the messages mention a user. */
export const recipientSetNamesOf = (messages: Mentioning[]): string[] => [
  ...new Set(
    messages.flatMap(({ mentions }) =>
      [mentions?.members, mentions?.participants].filter((name) => name !== undefined),
    ),
  ),
];

/** The mention flags of a message for a user who received it. Its recipient sets must be loaded. */
export function mentionFlagsOf(
  userId: number,
  { mentions }: Mentioning,
  recipientSets: RecipientSets,
): MentionFlag[] {
  if (!mentions) return [];
  const { userIds, members, everybody, participants } = mentions;
  const isMentioned =
    userIds?.includes(userId) || (members !== undefined && recipientSets.has(members, userId));
  const isInTopic = participants !== undefined && recipientSets.has(participants, userId);
  return [
    ...(isMentioned ? ['mentioned' as const] : []),
    ...(everybody ? ['stream_wildcard_mentioned' as const] : []),
    ...(isInTopic ? ['topic_wildcard_mentioned' as const] : []),
    ...(everybody || isInTopic ? ['wildcard_mentioned' as const] : []),
  ];
}

/**
 * Whether a message counts as a mention for a user who received it: wildcards do not count in topics that the
 * user has muted.
 */
export function callsOn(
  userId: number,
  message: MessageFacts,
  recipientSets: RecipientSets,
  wishes: TopicWishes,
): boolean {
  const flags = mentionFlagsOf(userId, message, recipientSets);
  if (flags.includes('mentioned')) return true;
  return flags.length > 0 && !(message.kind === 'channel' && isMutedFor(message, wishes));
}

/** Whether two texts mention the same people. */
export const isSameMentions = (left: Mentions | undefined, other: Mentions | undefined): boolean =>
  JSON.stringify(inOrder(left)) === JSON.stringify(inOrder(other));

const inOrder = ({ userIds = [], members, everybody, participants }: Mentions = {}) => [
  userIds,
  members,
  everybody,
  participants,
];
