import { closingFences, literal } from './references.ts';

/** An uploaded file that a message links to at its end. */
export interface FileLink {
  name: string;
  /** Relative to the service. */
  url: string;
  isPicture: boolean;
}

/** Characters that turn the direction of the text around them, with which a name hides its extension. */
const TURNING = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The Markdown of a file: a picture, or a link. Marks in its name are letters. */
export const linkOf = ({ name, url, isPicture }: FileLink): string =>
  `${isPicture ? '!' : ''}[${literal(name.replace(TURNING, ''))}](${url})`;

const unliteral = (text: string): string =>
  text.replace(/&#(\d{2,3});/g, (_, code: string) => String.fromCodePoint(Number(code)));

const LINK = /^(!?)\[([^[\]]*)\]\((\/user_uploads\/[^\s()]+)\)$/;

/**
 * Separates a text from the lines at its end that are links to uploads. Only lines that `isFile` accepts are separated.
 */
export function splitFiles(
  content: string,
  isFile: (link: string) => boolean = () => true,
): { text: string; files: FileLink[] } {
  const lines = content.split('\n');
  const files: FileLink[] = [];
  let start = lines.length;
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const line = lines[index]?.trim() ?? '';
    if (line === '') continue;
    const [, sign, name, url] = LINK.exec(line) ?? [];
    if (name === undefined || url === undefined || !isFile(line)) break;
    files.unshift({ name: unliteral(name), url, isPicture: sign === '!' });
    start = index;
  }
  if (files.length === 0) return { text: content, files };
  // One empty line separates text and files.
  return { text: lines.slice(0, start).join('\n').replace(/\n$/, ''), files };
}

/** A text with the links of its files on lines of their own; `splitFiles` separates them again. */
export const joinFiles = (text: string, files: readonly FileLink[]): string =>
  [text, files.map(linkOf).join('\n')].filter((part) => part !== '').join('\n\n');

/** A message that is not sent yet, as people read it: files by their names. */
export function nameFiles(content: string): string {
  const { text, files } = splitFiles(content);
  return [text, ...files.map(({ name }) => `📎 ${name}`)].filter((line) => line !== '').join('\n');
}

/** The Markdown to send. A code block or quote that the text leaves open does not include the files. */
export function messageWith(text: string, files: readonly FileLink[]): string {
  const ends = files.length > 0 ? closingFences(text) : [];
  return joinFiles([text, ...ends].join('\n'), files);
}

/** Divides a long file name, so that its middle can be left out: the second part keeps the end and the extension. */
export function divideName(name: string): [start: string, end: string] {
  const characters = [...name];
  const at = characters.length > SHORT_NAME ? characters.length - END_OF_NAME : characters.length;
  return [characters.slice(0, at).join(''), characters.slice(at).join('')];
}
const SHORT_NAME = 13;
const END_OF_NAME = 7;
