/** Leads to the ends of a feed, however long it is. */
interface Ends {
  toNewest: () => void;
  toOldest: () => void;
}

let open: Ends | undefined;

/** Notes how the open feed is led to its ends; returns what ends it. */
export function holdEnds(ends: Ends): () => void {
  open = ends;
  return () => {
    if (open === ends) open = undefined;
  };
}

/** The ends of the open feed; undefined on other pages. */
export const feedEnds = (): Ends | undefined => open;
