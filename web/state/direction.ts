const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A name within a sentence: one that runs from right to left does not reorder the signs beside it. */
const isolated = (name: string): string => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

/** A channel and a topic in words, as `design › logo`. */
export const pathOf = (channel: string, topic: string): string => `${isolated(channel)} › ${isolated(topic)}`;

/** The direction of a text, which its first letter decides; undefined without a letter. */
export function directionOf(text: string): 'rtl' | 'ltr' | undefined {
  const letter = /\p{L}/u.exec(text)?.[0];
  if (letter === undefined) return undefined;
  return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr';
}
