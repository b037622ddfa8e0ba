import type { StateBlock } from 'markdown-it';

/** A line of a block without its indentation. */
export function textOf(state: StateBlock, line: number): string {
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
  return state.src.slice(start, state.eMarks[line]);
}
