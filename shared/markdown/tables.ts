import type { StateBlock, Token } from 'markdown-it';
import { type BlockRule, textOf } from './block-lines.ts';
import type { Environment } from './environment.ts';

// Short rows are filled with empty cells: without this limit a message of 10 000 characters could grow to 65
// 000 cells. Cells that are written out need two characters.
const MAX_TABLE_CELLS = 5000;

/** The library's rule for tables, with a limit of cells and in the form that clients accept. */
export const tableRule =
  (takeTable: BlockRule): BlockRule =>
  (state, line, endLine, silent) => {
    const columns = textOf(state, line + 1).match(/[-:]+/g)?.length ?? 0;
    if (columns === 0) return false;
    const environment = state.env as Environment;
    const cells = columns * (endLine - line);
    if (environment.tableCells + cells > MAX_TABLE_CELLS) return false;
    const before = state.tokens.length;
    const { src } = state;
    environment.tableSource ??= hidePipesOfCode(src);
    state.src = environment.tableSource;
    const isTable = takeTable(state, line, endLine, silent);
    state.src = src;
    if (silent || !isTable) return isTable;
    environment.tableCells += columns * (state.line - line);
    finishCells(state.tokens.slice(before));
    if (state.tokens.at(-2)?.type === 'thead_close') addEmptyRow(state, before);
    return true;
  };

/** A pipe of code. The library has replaced this character in every text. */
const HIDDEN_PIPE = '\0';
/** An escaped character, or code within a line. */
const CODE = /\\.|(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)/g;

/** The text, in which pipes inside code do not separate cells. */
const hidePipesOfCode = (text: string): string =>
  text.includes('`')
    ? text.replace(CODE, (code) => (code.startsWith('`') ? code.replace(/(?<!\\)\|/g, HIDDEN_PIPE) : code))
    : text;

/** Restores pipes of code. Clients compare the whole text of a style. */
function finishCells(table: Token[]): void {
  for (const cell of table) {
    if (cell.type === 'inline') cell.content = cell.content.replaceAll(HIDDEN_PIPE, '|');
    const style = cell.attrGet('style');
    if (style) cell.attrSet('style', `${String(style).replace(':', ': ')};`);
  }
}

/** Clients do not show a table without a body. */
function addEmptyRow(state: StateBlock, before: number): void {
  const headers = state.tokens.slice(before).filter(({ type }) => type === 'th_open');
  const end = state.tokens.pop();
  state.push('tbody_open', 'tbody', 1);
  state.push('tr_open', 'tr', 1);
  for (const { attrs } of headers) {
    state.push('td_open', 'td', 1).attrs = attrs;
    state.push('td_close', 'td', -1);
  }
  state.push('tr_close', 'tr', -1);
  state.push('tbody_close', 'tbody', -1);
  if (end) state.tokens.push(end);
}
