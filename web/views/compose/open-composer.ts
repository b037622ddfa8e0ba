/** Goes to the message box of the page; one that is folded opens. */
export function openComposer(): void {
  const box = document.getElementById('compose-text');
  if (box instanceof HTMLButtonElement) box.click();
  else box?.focus();
}
