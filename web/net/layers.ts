/** Closes each layer above the page, the uppermost last. */
const open: (() => void)[] = [];

/** Notes a dialog, a menu or another layer: Back closes it and stays on the page. Returns what ends this. */
export function holdBack(close: () => void): () => void {
  open.push(close);
  return () => {
    const place = open.lastIndexOf(close);
    if (place >= 0) open.splice(place, 1);
  };
}

/** Closes the uppermost layer; returns whether there was one. */
export function closeUppermost(): boolean {
  const close = open.pop();
  close?.();
  return close !== undefined;
}

/** Closes all layers: another page opens below them. */
export function closeLayers(): void {
  while (closeUppermost());
}
