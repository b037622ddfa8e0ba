import type { MarkdownIt, StateInline } from 'markdown-it';
import { type Environment, mayAdd } from './environment.ts';

const FORMULA_AT = /\$\$([^\n$_](?:\\\$|[^\n$])*)\$\$(?!\$)/y;

/** Inline formulas between pairs of two dollar signs. */
export function useFormulas(md: MarkdownIt): void {
  md.inline.ruler.before('emphasis', 'formula', takeFormula);
  md.renderer.rules.formula = (tokens, index, _options, env) =>
    renderFormula(md, env as Environment, tokens[index]?.content ?? '', false);
}

function takeFormula(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos - 1] === '$') return false;
  FORMULA_AT.lastIndex = state.pos;
  const [whole, formula] = FORMULA_AT.exec(state.src) ?? [];
  if (whole === undefined || formula === undefined || state.pos + whole.length > state.posMax) return false;
  if (!silent) state.push('formula', '', 0).content = formula;
  state.pos += whole.length;
  return true;
}

/** The rendered formula, or its source when it is invalid or too long. */
export function renderFormula(
  md: MarkdownIt,
  environment: Environment,
  formula: string,
  isDisplayed: boolean,
): string {
  const html = environment.isMathFull ? undefined : environment.known.setMath?.(formula, isDisplayed);
  if (html !== undefined && mayAdd(environment, html.length)) return html;
  // A formula that does not fit costs as much to render, so none is rendered after the first of them.
  environment.isMathFull ||= html !== undefined;
  const source = isDisplayed ? formula : `$$${formula}$$`;
  return `<span class="tex-error">${md.utils.escapeHtml(source)}</span>`;
}
