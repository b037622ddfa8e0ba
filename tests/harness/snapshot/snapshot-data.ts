// biome-ignore lint/suspicious/noExplicitAny: a snapshot is JSON of many shapes
export type SnapshotData = Record<string, any>;

/** State that a client does not know without a request. */
const UNKNOWN = 'unknown';
/** A fresh snapshot as far as a client can compute it that no longer knows the newest message. */
export function asFarAsKnown(fresh: SnapshotData, replayed: SnapshotData): SnapshotData {
  const { recent_private_conversations: known = [] } = replayed;
  const doubtful = known
    .filter(({ max_message_id }: SnapshotData) => max_message_id === UNKNOWN)
    .map(({ user_ids }: SnapshotData) => String(user_ids));
  const isSure = ({ user_ids }: SnapshotData): boolean => !doubtful.includes(String(user_ids));
  return {
    ...fresh,
    ...(replayed.max_message_id === UNKNOWN && { max_message_id: UNKNOWN }),
    ...(fresh.recent_private_conversations && {
      recent_private_conversations: fresh.recent_private_conversations.filter(isSure),
    }),
  };
}

/** The certain part of a client's state. */
export const sureOf = (replayed: SnapshotData): SnapshotData => ({
  ...replayed,
  ...(replayed.recent_private_conversations && {
    recent_private_conversations: replayed.recent_private_conversations.filter(
      ({ max_message_id }: SnapshotData) => max_message_id !== UNKNOWN,
    ),
  }),
});
