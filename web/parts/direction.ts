/** Whether the page runs from right to left. */
export const isRightToLeft = (): boolean => document.documentElement.dir === 'rtl';

/** Whether a horizontal arrow key leads on or back in the direction of the page. */
export const sideways = (key: string): 'on' | 'back' | undefined => {
  if (key !== 'ArrowRight' && key !== 'ArrowLeft') return undefined;
  return (key === 'ArrowRight') === isRightToLeft() ? 'back' : 'on';
};

/** Whether a press has a key with which arrows mean something else: to select, or to go back in the browser. */
export const isModified = ({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean =>
  altKey || ctrlKey || metaKey || shiftKey;

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The direction of a text, which its first letter decides; undefined without a letter. */
export function directionOf(text: string): 'rtl' | 'ltr' | undefined {
  const letter = /\p{L}/u.exec(text)?.[0];
  if (letter === undefined) return undefined;
  return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr';
}
