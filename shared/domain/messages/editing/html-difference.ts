import { escapeHtml } from '#shared/domain/html-text.ts';

/** The difference of two texts as HTML: the words between the common beginning and end are marked. */
export function htmlDifference(before: string, after: string): string {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const middleOf = (words: string[]): string => words.slice(head, words.length - tail).join('');
  return [
    '<div><p>',
    toHtml(now.slice(0, head).join('')),
    marked('highlight_text_deleted', middleOf(old)),
    marked('highlight_text_inserted', middleOf(now)),
    toHtml(now.slice(now.length - tail).join('')),
    '</p></div>',
  ].join('');
}

const wordsOf = (text: string): string[] => text.split(/(\s+)/);

const marked = (name: string, text: string): string =>
  text === '' ? '' : `<span class="${name}">${toHtml(text)}</span>`;

/** Lines end as browsers show them. */
const toHtml = (text: string): string => escapeHtml(text).replaceAll('\n', '<br>');
