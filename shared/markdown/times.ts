import type { MarkdownIt, StateInline } from 'markdown-it';

const TIME_AT = /<time:([^<>\n]{1,100})>/y;
const UNIX_SECONDS = /^-?\d{1,12}(?:\.\d{1,9})?$/;
const ISO = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?: ?(Z|[+-]\d\d:?\d\d))?)?$/i;

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

/** The time in the protocol's form: UTC, in whole seconds. UTC is the default zone. */
function readTime(text: string): string | undefined {
  const iso = ISO.exec(text);
  if (!iso && !UNIX_SECONDS.test(text)) return undefined;
  const date = new Date(iso ? withZone(text, iso[1]) : Number(text) * 1000);
  const isWritable = date.getTime() >= Date.UTC(1, 0, 1) && date.getTime() < Date.UTC(10_000, 0, 1);
  return isWritable ? date.toISOString().replace(/\.\d+Z$/, 'Z') : undefined;
}

function withZone(text: string, zone: string | undefined): string {
  const [day = '', time = '00:00'] = text
    .slice(0, text.length - (zone?.length ?? 0))
    .trim()
    .split(/[T ]/i);
  const offset = zone === undefined || zone.toUpperCase() === 'Z' ? 'Z' : zone.replace(/^(...):?/, '$1:');
  return `${day}T${time}${offset}`;
}
