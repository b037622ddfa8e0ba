/** What of a text became another one, as HTML: the words between what both begin and end with, marked. */
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
    escapeHtml(now.slice(0, head).join('')),
    marked('highlight_text_deleted', middleOf(old)),
    marked('highlight_text_inserted', middleOf(now)),
    escapeHtml(now.slice(now.length - tail).join('')),
    '</p></div>',
  ].join('');
}

const wordsOf = (text: string): string[] => text.split(/(\s+)/);

const marked = (name: string, text: string): string =>
  text === '' ? '' : `<span class="${name}">${escapeHtml(text)}</span>`;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '').replaceAll('\n', '<br>');
