/** Goes to the message box of the page; one that is folded opens. */
export function openComposer(): void {
  const box = document.getElementById('compose-text');
  if (box instanceof HTMLButtonElement) box.click();
  else box?.focus();
}

/** About two seconds of frames. */
const MOST_FRAMES = 120;

/** Goes to the message box as soon as the page that opens has one. */
export function openComposerSoon(framesLeft = MOST_FRAMES): void {
  requestAnimationFrame(() => {
    if (document.getElementById('compose-text')) openComposer();
    else if (framesLeft > 0) openComposerSoon(framesLeft - 1);
  });
}
