import { parsedHtml } from '#web/parts/rendered.tsx';
import { markdownOf } from '#web/state/html-markdown.ts';

/** The meaning of a paste: files, Markdown of a rich text, or the browser's own handling. */
export type Pasted = { kind: 'files'; files: File[] } | { kind: 'text'; text: string } | undefined;

/** Elements that say more than the plain text of a clipboard. */
const RICH =
  'a[href], b, strong, i, em, del, s, h1, h2, h3, h4, h5, h6, ul, ol, table, pre, code, blockquote';

/** Reads a clipboard. Its parts come from any program: spreadsheets add a picture, file managers the names of the files. */
export function readClipboard(clipboard: DataTransfer | null): Pasted {
  if (!clipboard) return undefined;
  const files = [...clipboard.files];
  const [html, plain] = [clipboard.getData('text/html'), clipboard.getData('text/plain')];
  if (files.length > 0 && (plain === '' || html === '')) return { kind: 'files', files };
  const text = html === '' ? undefined : richText(html, plain);
  return text === undefined ? undefined : { kind: 'text', text };
}

/** Markdown of a rich text; undefined if it adds nothing to its plain text. */
function richText(html: string, plain: string): string | undefined {
  // Editors of code color their words, and mean the text.
  if (/vscode|data-ace|class="?CodeMirror/i.test(html)) return undefined;
  const body = parsedHtml(html.replace(/\sstyle\s*=\s*(?:'[^']*'|[^\s>"']+)/gi, ''));
  if (!body.querySelector(RICH)) return undefined;
  const text = markdownOf(body.childNodes);
  return text === '' || text === plain.trim() ? undefined : text;
}
