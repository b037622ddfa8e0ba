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

/**
 * Puts marks around the words of a selection, or takes them away if they are there. Space at its ends stays outside: marks
 * beside a space mean nothing.
 */
export function toggleMarks({ text, from, to }: Selected, before: string, after = before): Replacement {
  const selected = text.slice(from, to);
  const start = from + (selected.length - selected.trimStart().length);
  const end = selected.trim() === '' ? start : to - (selected.length - selected.trimEnd().length);
  const words = text.slice(start, end);
  const isWithin =
    words.length >= before.length + after.length &&
    startsWithMark(words, before) &&
    endsWithMark(words, after);
  if (isWithin) {
    const bare = words.slice(before.length, words.length - after.length);
    return { from: start, to: end, text: bare, selection: [start, start + bare.length] };
  }
  const [left, right] = [text.slice(0, start), text.slice(end)];
  if (endsWithMark(left, before) && startsWithMark(right, after)) {
    const at = start - before.length;
    return { from: at, to: end + after.length, text: words, selection: [at, at + words.length] };
  }
  const inner = start + before.length;
  return {
    from: start,
    to: end,
    text: `${before}${words}${after}`,
    selection: [inner, inner + words.length],
  };
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
