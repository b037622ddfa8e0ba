/**
 * Keys that belong to an input method go to it alone: no field and no shortcut of the page acts on them. Safari ends a
 * composition before the key that ended it; that key has the code 229. Returns what ends it.
 */
export function guardCompositions(): () => void {
  const guard = (event: KeyboardEvent): void => {
    if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation();
  };
  window.addEventListener('keydown', guard, true);
  return () => window.removeEventListener('keydown', guard, true);
}
