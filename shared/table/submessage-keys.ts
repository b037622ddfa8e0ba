import { type Key, positionSortKey } from './keys.ts';

/** What people added to the messages of a conversation. */
export const submessagesIn = (place: string): string => `SUBMESSAGES#${place}`;

export const submessageKeys = {
  /** What one user added to a message. */
  of: (place: string, messageId: number, userId: number): Key => ({
    pk: submessagesIn(place),
    sk: `${positionSortKey(messageId)}#${positionSortKey(userId)}`,
  }),
};
