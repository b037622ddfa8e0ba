import type { StateBlock } from 'markdown-it';

/** Tries to parse a block that starts at a line; returns whether it did. */
export type BlockRule = (state: StateBlock, line: number, endLine: number, silent: boolean) => boolean;

/** A line of a block without its indentation. */
export function textOf(state: StateBlock, line: number): string {
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
  return state.src.slice(start, state.eMarks[line]);
}
