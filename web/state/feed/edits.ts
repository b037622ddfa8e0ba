/** An edit of a message that was begun. */
export interface Edit {
  /** The text as it was when the edit began. */
  before: string;
  text: string;
}

/** Whether there is something to lose. */
export const isChanged = ({ before, text }: Edit): boolean => text.trim() !== before.trim();
