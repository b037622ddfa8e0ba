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
