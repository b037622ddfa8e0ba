/** The records that the page under measurement makes of itself. */
export interface Noted {
  /** When the first message stood in the window, in milliseconds since the page was asked for. */
  shownAtMs?: number;
  /** Tasks of more than 50 ms: when they began, and how long they took. */
  longTasks: { startMs: number; durationMs: number }[];
  /** Layout shifts that no input explains, added up. */
  layoutShift: number;
  /** The page's parts that moved, the last ones. */
  moved: string[];
}

declare global {
  interface Window {
    noted: Noted;
  }
}

/** Runs in the page before its own scripts. */
export function takeNotes(): void {
  const noted: Noted = { longTasks: [], layoutShift: 0, moved: [] };
  window.noted = noted;
  const describe = (node: Node | null): string => {
    const element = node instanceof Element ? node : node?.parentElement;
    return `${element?.parentElement?.className}>${element?.localName}.${element?.className}`;
  };
  const observe = (type: string, note: (entry: PerformanceEntry) => void): void =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  observe('longtask', ({ startTime, duration }) => {
    noted.longTasks.push({ startMs: startTime, durationMs: duration });
  });
  observe('layout-shift', (entry) => {
    const shift = entry as PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
    };
    if (shift.hadRecentInput) return;
    noted.layoutShift += shift.value;
    const parts = shift.sources.map(
      ({ node, previousRect: from, currentRect: to }) =>
        `${describe(node)} ${from.x},${from.y} ${from.width}x${from.height} → ${to.x},${to.y} ${to.width}x${to.height}`,
    );
    noted.moved = [...noted.moved, `${shift.value.toFixed(3)}: ${parts.join(', ')}`].slice(-20);
  });
  const isShown = (element: Element): boolean => {
    const { top, bottom } = element.getBoundingClientRect();
    return element.checkVisibility({ visibilityProperty: true }) && bottom > 0 && top < innerHeight;
  };
  const look = (): void => {
    // Pages other than feeds show no message: looking on would be measured too.
    if (document.querySelector('.inbox-group, .talks')) return;
    if ([...document.querySelectorAll('.message .rendered')].some(isShown))
      noted.shownAtMs = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/**
 * Opens an address of the client, and returns the milliseconds until a message of it is in the next painted frame.
 */
export function timeSwitch(hash: string): Promise<number> {
  const before = new Set(
    [...document.querySelectorAll('[data-message-id]')].map((one) => one.getAttribute('data-message-id')),
  );
  return new Promise((resolve) => {
    const start = performance.now();
    location.hash = hash;
    const look = (): void => {
      const rows = [...document.querySelectorAll('[data-message-id]')];
      const isThere = rows.some(
        (row) =>
          !before.has(row.getAttribute('data-message-id')) &&
          row.checkVisibility({ visibilityProperty: true }),
      );
      requestAnimationFrame(isThere ? () => resolve(performance.now() - start) : look);
    };
    look();
  });
}

/** Scrolls a feed towards its oldest message until this many different ones have stood in the page. */
export function scrollPast(count: number): Promise<{ seen: number; mostRows: number }> {
  const seen = new Set<string>();
  let mostRows = 0;
  let still = 0;
  return new Promise((resolve) => {
    const step = (): void => {
      const feed = document.querySelector('.feed');
      const rows = document.querySelectorAll('[data-message-id]');
      mostRows = Math.max(mostRows, rows.length);
      const known = seen.size;
      for (const row of rows) seen.add(row.getAttribute('data-message-id') ?? '');
      still = seen.size === known ? still + 1 : 0;
      // Two thousand frames without a new message: the end, or a feed that is stuck.
      if (!feed || seen.size >= count || still > 2_000) resolve({ seen: seen.size, mostRows });
      else {
        feed.scrollTop -= 600;
        requestAnimationFrame(step);
      }
    };
    step();
  });
}
