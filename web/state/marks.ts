import { endsInCode, openBlocks } from './references.ts';

/** A text with a selection. */
export interface Selected {
  text: string;
  from: number;
  to: number;
}

/** A replacement of a part of the text, and the selection after it. */
export interface Replacement {
  from: number;
  to: number;
  text: string;
  selection: [from: number, to: number];
}

/** The marks at the beginning of a line: of lists, quotes and headings. */
const LINE_MARKS = /^\s*(?:(?:[-*+]|\d+[.)]|#{1,6})\s+|>\s*)*/;
/** A line of a table, and a fence. */
const UNMARKABLE = /^\s*(?:\||`{3}|~{3})/;
const CODE = '`';

/**
 * Puts marks around the words of a selection, or takes them away if they are there. Space at its ends stays outside: marks
 * beside a space mean nothing. Of several lines each has its own marks, since these end with their paragraph. Nothing in
 * code is marked.
 */
export function toggleMarks({ text, from, to }: Selected, before: string, after = before): Replacement {
  const selected = text.slice(from, to);
  const start = from + (selected.length - selected.trimStart().length);
  const end = selected.trim() === '' ? start : to - (selected.length - selected.trimEnd().length);
  const isLong = text.slice(start, end).includes('\n');
  if (isLong && before === CODE) return toggleBlock(text, start, end, '```\n', '\n```\n');
  if (before.includes('\n')) return toggleBlock(text, start, end, before, after);
  if (isLong) return toggleLines(text, start, end, before, after);
  const isCode = before === CODE ? isInCodeBlock(text, start) : endsInCode(text.slice(0, start));
  if (isCode) return { from: start, to: start, text: '', selection: [start, end] };
  return toggleWords(text, start + lineMarks(text, start, end), end, before, after);
}

const startOfLine = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

const isInCodeBlock = (text: string, at: number): boolean =>
  openBlocks(text.slice(0, startOfLine(text, at))).at(-1)?.isProse === false;

/** The length of the marks of a line, if a selection begins with the line. */
const lineMarks = (text: string, start: number, end: number): number =>
  text.slice(startOfLine(text, start), start).trim() === ''
    ? (LINE_MARKS.exec(text.slice(start, end))?.[0].length ?? 0)
    : 0;

/** Each run of a mark that is not a part of a longer one. */
const runsOf = (mark: string, between = ''): RegExp => {
  const [sign, letter] = [mark, mark[0] ?? ''].map((text) => text.replace(/[*[$]/g, '\\$&'));
  const run = `(?<!${letter})${sign}(?!${letter})`;
  return new RegExp(between === '' ? run : `${run}${between}${run}`, 'g');
};

function toggleWords(text: string, start: number, end: number, before: string, after: string): Replacement {
  const words = text.slice(start, end);
  const bare = unmarked(words, before, after);
  if (bare !== undefined)
    return { from: start, to: end, text: bare, selection: [start, start + bare.length] };
  if (endsWithMark(text.slice(0, start), before) && startsWithMark(text.slice(end), after)) {
    const at = start - before.length;
    return { from: at, to: end + after.length, text: words, selection: [at, at + words.length] };
  }
  const [open, close] = before === CODE && words.includes(CODE) ? ['`` ', ' ``'] : [before, after];
  const made = marked(words, open, close);
  const inner = start + open.length;
  const length = made.length - open.length - close.length;
  return { from: start, to: end, text: made, selection: [inner, inner + length] };
}

/** The words without the marks at their ends; undefined if there are none that belong together. */
function unmarked(words: string, before: string, after: string): string | undefined {
  if (words.length < before.length + after.length) return undefined;
  if (!startsWithMark(words, before) || !endsWithMark(words, after)) return undefined;
  const inner = words.slice(before.length, words.length - after.length);
  return runsOf(before).test(inner) ? undefined : inner;
}

/** The words within marks, and without such marks among them. */
function marked(words: string, before: string, after: string): string {
  return before + (before === after ? words.replace(runsOf(before, '(\\S.*?)'), '$1') : words) + after;
}

function toggleLines(text: string, start: number, end: number, before: string, after: string): Replacement {
  let at = start;
  const parts = text
    .slice(start, end)
    .split('\n')
    .map((line) => {
      const from = at + lineMarks(text, at, at + line.length);
      const words = text.slice(from, at + line.length).trimEnd();
      const isText = words !== '' && !UNMARKABLE.test(line) && !isInCodeBlock(text, at);
      const bare = unmarked(words, before, after);
      const rest = line.slice(from - at + words.length);
      const part = { isText, head: line.slice(0, from - at), words, bare, rest };
      at += line.length + 1;
      return part;
    });
  const isMarked = parts.every(({ isText, bare }) => !isText || bare !== undefined);
  const made = parts
    .map(({ isText, head, words, bare, rest }) => {
      const plain = bare ?? words;
      return head + (isText ? (isMarked ? plain : marked(plain, before, after)) : words) + rest;
    })
    .join('\n');
  return { from: start, to: end, text: made, selection: [start, start + made.length] };
}

/** A block begins on a line of its own. */
function toggleBlock(text: string, start: number, end: number, before: string, after: string): Replacement {
  const isOwnLine = text.slice(startOfLine(text, start), start).trim() === '';
  return toggleWords(text, start, end, isOwnLine ? before : `\n${before}`, after);
}

const ADDRESS = /^(?:https?:\/\/|mailto:)\S+$/i;
const PLACEHOLDER = 'url';

/** Makes a link of the selected words, or words of a selected link. The missing part is selected, to be written. */
export function toggleLink({ text, from, to }: Selected): Replacement {
  const words = text.slice(from, to);
  const link = /^\[([^\]]*)\]\([^()\s]*\)$/.exec(words);
  if (link) return { from, to, text: link[1] ?? '', selection: [from, from + (link[1] ?? '').length] };
  const rest = /^\]\([^()\s]*\)/.exec(text.slice(to));
  if (text[from - 1] === '[' && rest)
    return { from: from - 1, to: to + rest[0].length, text: words, selection: [from - 1, to - 1] };
  if (ADDRESS.test(words)) return { from, to, text: `[](${words})`, selection: [from + 1, from + 1] };
  const made = toggleMarks({ text, from, to }, '[', `](${PLACEHOLDER})`);
  const at = made.from + made.text.indexOf(`(${PLACEHOLDER})`) + 1;
  return words.trim() === '' || !made.text.includes(PLACEHOLDER)
    ? made
    : { ...made, selection: [at, at + PLACEHOLDER.length] };
}

/** The link that a pasted address makes of selected words; undefined if they are no words of one line. */
export function linkOfPaste({ text, from, to }: Selected, pasted: string): Replacement | undefined {
  const [words, address] = [text.slice(from, to), pasted.trim()];
  const isWords = /^[^\n[\]]*[^\s[\]][^\n[\]]*$/.test(words) && !ADDRESS.test(words.trim());
  const isInLink = text.slice(0, from).endsWith('](');
  if (!isWords || isInLink || !ADDRESS.test(address) || endsInCode(text.slice(0, from))) return undefined;
  const made = toggleMarks(
    { text, from, to },
    '[',
    `](${address.replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'))})`,
  );
  const end = made.from + made.text.length;
  return { ...made, selection: [end, end] };
}

/** Whether a text ends with a mark that is not a part of a longer one, as `*` of `**`. */
function endsWithMark(text: string, mark: string): boolean {
  const run = runLength(text, mark[0] ?? '', -1);
  return text.endsWith(mark) && fits(run, mark);
}

function startsWithMark(text: string, mark: string): boolean {
  return text.startsWith(mark) && fits(runLength(text, mark.at(-1) ?? '', 1), mark);
}

/** `***` holds both `*` and `**`. */
const fits = (run: number, mark: string): boolean =>
  !/^(\*+)$/.test(mark) || run === mark.length || run === 3;

function runLength(text: string, character: string, direction: 1 | -1): number {
  let length = 0;
  while (text.at(direction === 1 ? length : -1 - length) === character && length < text.length) length += 1;
  return length;
}

/** Puts a mark before each line that the selection touches, or takes it away if all of them have it. */
export function prefixLines(
  { text, from, to }: Selected,
  mark: string | ((index: number) => string),
): Replacement {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const next = text.indexOf('\n', to);
  const end = next < 0 ? text.length : next;
  const lines = text.slice(start, end).split('\n');
  const markOf = (index: number): string => (typeof mark === 'string' ? mark : mark(index));
  const isMarked = lines.every((line, index) => line.startsWith(markOf(index)));
  const made = lines
    .map((line, index) => (isMarked ? line.slice(markOf(index).length) : markOf(index) + line))
    .join('\n');
  return { from: start, to: end, text: made, selection: [start + made.length, start + made.length] };
}
