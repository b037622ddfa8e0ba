/**
 * Texts that the page keeps on this device, by name. If the browser blocks its storage or has no room left, they live as
 * long as the page.
 */
const passing = new Map<string, string>();

/** Runs something with the storage; `undefined` if the browser refuses. */
function withStorage<Result>(run: (storage: Storage) => Result): Result | undefined {
  try {
    return run(localStorage);
  } catch {
    return undefined;
  }
}

export const readKept = (name: string): string | null =>
  passing.get(name) ?? withStorage((storage) => storage.getItem(name)) ?? null;

/** Keeps a text; returns whether it survives the page. */
export function keep(name: string, text: string): boolean {
  const isKept = withStorage((storage) => {
    storage.setItem(name, text);
    return true;
  });
  if (isKept) passing.delete(name);
  else {
    passing.set(name, text);
    // An older text must not come back after a reload.
    withStorage((storage) => storage.removeItem(name));
  }
  return isKept === true;
}

export function forgetKept(name: string): void {
  passing.delete(name);
  withStorage((storage) => storage.removeItem(name));
}

/** The names that begin so. */
export const keptNames = (prefix: string): string[] =>
  [...new Set([...(withStorage((storage) => Object.keys(storage)) ?? []), ...passing.keys()])].filter(
    (name) => name.startsWith(prefix),
  );
