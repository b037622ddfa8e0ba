import type { MarkdownIt, StateInline } from 'markdown-it';
import { readIsoTimeMs } from '#shared/domain/iso-time.ts';

const TIME_AT = /<time:([^<>\n]{1,100})>/y;

/** Times that clients show in the reader's time zone. Invalid times stay text. */
export function useTimes(md: MarkdownIt): void {
  md.inline.ruler.before('emphasis', 'time', takeTime);
  md.renderer.rules.time = (tokens, index) => {
    const { content = '', meta } = tokens[index] ?? {};
    return `<time datetime="${meta?.time}">${md.utils.escapeHtml(content)}</time>`;
  };
}

function takeTime(state: StateInline, silent: boolean): boolean {
  TIME_AT.lastIndex = state.pos;
  const [whole, text] = TIME_AT.exec(state.src) ?? [];
  const time = text === undefined ? undefined : readTime(text.trim());
  if (whole === undefined || time === undefined) return false;
  if (!silent) {
    const token = state.push('time', '', 0);
    token.content = text ?? '';
    token.meta = { time };
  }
  state.pos += whole.length;
  return true;
}

/** The time in the protocol's form: UTC, in whole seconds. */
function readTime(text: string): string | undefined {
  const milliseconds = readIsoTimeMs(text) ?? Number.NaN;
  const isWritable = milliseconds >= Date.UTC(1, 0, 1) && milliseconds < Date.UTC(10_000, 0, 1);
  return isWritable ? new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z') : undefined;
}
