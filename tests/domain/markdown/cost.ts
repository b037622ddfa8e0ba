import hljs from 'highlight.js/lib/common';
import type { Known } from '#shared/markdown/known.ts';
import { findReferences } from '#shared/markdown/references.ts';
import { renderMarkdown } from '#shared/markdown/render.ts';
import { everything } from './everything.ts';
import { manyLanguages, type SlowText, usualText } from './slowest.ts';

/** How much longer a message may take than one that people write, of the same length. */
export const TIMES_USUAL = 25;
/**
 * The same if the linkifiers take as long as they may: administrators write them, and their work is counted by
 * itself.
 */
export const TIMES_USUAL_WITH_LINKIFIERS = 40;

export const everyLanguage = manyLanguages(hljs.listLanguages());

/** The milliseconds of this thread to render a text, without other work on the machine. */
export function costOf({ source }: SlowText, known: Known = everything): number {
  const before = process.threadCpuUsage();
  findReferences(source);
  renderMarkdown(source, known);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** The same, measured again if it is more than `limitMs`, since others on the machine only ever add to it. */
export function leastCostOf(text: SlowText, limitMs: number, known?: Known): number {
  const costs = [costOf(text, known)];
  while (Math.min(...costs) > limitMs && costs.length < 3) costs.push(costOf(text, known));
  return Math.min(...costs);
}

/** The median time of an ordinary message, once the grammars of all languages are loaded. */
export function costOfUsual(): number {
  costOf(everyLanguage);
  const costs = Array.from({ length: 15 }, () => costOf(usualText));
  return costs.sort((a, b) => a - b)[7] ?? Number.NaN;
}
