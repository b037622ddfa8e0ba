import { messageLimits } from '#shared/markdown/environment.ts';
import { renderMarkdown } from '#shared/markdown/render.ts';
import {
  costOf,
  costOfUsual,
  everyLanguage,
  TIMES_USUAL,
  TIMES_USUAL_WITH_LINKIFIERS,
} from '#tests/domain/markdown/cost.ts';
import { everything, withSlowLinkifiers } from '#tests/domain/markdown/everything.ts';
import { type SlowText, slowTexts, usualText } from '#tests/domain/markdown/slowest.ts';
import type { Row } from './report.ts';

const SHOWN = 12;

/** The time of the slowest known messages, as multiples of an ordinary one, and the longest HTML of them. */
export function measureRendering(): Row[] {
  const usual = costOfUsual();
  const timesOf = (text: SlowText, known = everything): number =>
    Math.min(...[1, 2, 3].map(() => costOf(text, known))) / usual;
  const slowest = [...slowTexts, everyLanguage]
    .map((text) => ({ name: text.name, times: timesOf(text) }))
    .sort((a, b) => b.times - a.times);
  const linkified = timesOf(
    { name: '', source: 'a '.repeat(5_000) },
    withSlowLinkifiers('(?P<id>(.*){8})', 22),
  );
  const longest = slowTexts
    .map(({ name, source }) => ({ name, bytes: Buffer.byteLength(renderMarkdown(source, everything).html) }))
    .sort((a, b) => b.bytes - a.bytes)[0];
  return [
    {
      what: `10 000 characters of ${usualText.name}`,
      measured: `1 × (${usual.toFixed(0)} ms of CPU)`,
      budget: '',
    },
    ...slowest.slice(0, SHOWN).map(({ name, times }) => row(name, times, TIMES_USUAL)),
    row('linkifiers at their limit', linkified, TIMES_USUAL_WITH_LINKIFIERS),
    {
      what: `the longest HTML of ${slowTexts.length} texts (${longest?.name})`,
      measured: `${longest?.bytes} bytes`,
      budget: `≤ ${messageLimits.htmlBytes}`,
      isMet: (longest?.bytes ?? 0) <= messageLimits.htmlBytes,
    },
  ];
}

const row = (what: string, times: number, budget: number): Row => ({
  what,
  measured: `${times.toFixed(1)} ×`,
  budget: `≤ ${budget} ×`,
  isMet: times <= budget,
});
