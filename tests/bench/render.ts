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
import { atMost, type Row } from './report.ts';

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
  const times = (figure: number): string => `${figure.toFixed(1)} ×`;
  return [
    atMost(`10 000 characters of ${usualText.name}`, usual, (ms) => `1 × (${ms.toFixed(0)} ms of CPU)`),
    ...slowest.slice(0, SHOWN).map((text) => atMost(text.name, text.times, times, TIMES_USUAL)),
    atMost('linkifiers at their limit', linkified, times, TIMES_USUAL_WITH_LINKIFIERS),
    atMost(
      `the longest HTML of ${slowTexts.length} texts (${longest?.name})`,
      longest?.bytes ?? 0,
      (bytes) => `${bytes} bytes`,
      messageLimits.htmlBytes,
    ),
  ];
}
