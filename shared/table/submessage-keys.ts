import { type Key, positionSortKey } from './keys.ts';

/** The submessages of a conversation. */
export const submessagesIn = (place: string): string => `SUBMESSAGES#${place}`;

export const submessageKeys = {
  /** The submessages of one user to a message. */
  of: (place: string, messageId: number, userId: number): Key => ({
    pk: submessagesIn(place),
    sk: `${positionSortKey(messageId)}#${positionSortKey(userId)}`,
  }),
};
