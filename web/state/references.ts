import { isSameName } from './names.ts';

/** How references to people and places are written so that the service resolves them as meant. Pure. */

/** Words after an @ that mean many people. */
const WILDCARDS = new Set(['all', 'everyone', 'channel', 'stream', 'topic']);

/** Whether nobody else has a name that the service takes for this one. */
export const isOnlyName = (name: string, people: readonly { full_name: string }[]): boolean =>
  people.filter(({ full_name }) => isSameName(full_name, name)).length === 1;

/** A mention of a person by name, or by the id if the name is ambiguous or has another meaning. */
export function mentionText(
  { name, id, isUnique }: { name: string; id: number; isUnique: boolean },
  isSilent = false,
): string {
  const sign = isSilent ? '@_' : '@';
  // Marks of Markdown would end the mention.
  if (/[*\n`]/.test(name)) return `${sign}**|${id}**`;
  const isClear = isUnique && !WILDCARDS.has(name.toLowerCase()) && !/\|\d+$/.test(name);
  return `${sign}**${isClear ? name : `${name}|${id}`}**`;
}

/** Characters that mean something in the text of a link, as numbers that mean nothing. */
export const literal = (text: string): string =>
  text.replace(/[\\`*_~[\]<&$:@|!"'\n]/g, (character) => `&#${character.codePointAt(0)};`);

/** A link with a text that is shown as it is. */
export const linkText = (text: string, address: string): string => `[${literal(text)}](${address})`;

const isPlainChannel = (name: string): boolean => !/[*>\n`$]/.test(name);
const isPlainTopic = (name: string): boolean => !/[*\n`$]/.test(name) && !/@\d+$/.test(name);

/** A reference to a channel, or to one of its topics; a plain link if the name would break the reference. */
export function placeText(
  { channel, topic, label = topic }: { channel: string; topic?: string; label?: string | undefined },
  address: string,
): string {
  const isPlain = isPlainChannel(channel) && (topic === undefined || isPlainTopic(topic));
  if (topic === undefined) return isPlain ? `#**${channel}**` : linkText(`#${channel}`, address);
  return isPlain ? `#**${channel}>${topic}**` : linkText(`#${channel} > ${label}`, address);
}

/** A fenced block that a text leaves open. */
export interface OpenBlock {
  /** The line that ends it. */
  fence: string;
  /** Whether its text is Markdown, as in quotes and spoilers, and not code. */
  isProse: boolean;
}

/** After backticks, a fence has no backtick: otherwise the line is code within a paragraph. */
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$/;

/** The fenced blocks that a text leaves open, the outermost first. */
export function openBlocks(text: string): OpenBlock[] {
  const blocks: OpenBlock[] = [];
  for (const line of text.split('\n')) {
    const [, fence, info = ''] = FENCE.exec(line) ?? [];
    const last = blocks.at(-1);
    if (fence === undefined) continue;
    if (last && info.trim() === '' && fence.startsWith(last.fence)) blocks.pop();
    else if (!last || last.isProse) blocks.push({ fence, isProse: /^\s*(quote|spoiler)\b/i.test(info) });
  }
  return blocks;
}

/** The lines that end the open blocks of a text, the innermost first. */
export const closingFences = (text: string): string[] =>
  openBlocks(text)
    .map(({ fence }) => fence)
    .reverse();

/** Whether the end of a text is inside code: in an open block, or between marks on its line. */
export function endsInCode(text: string): boolean {
  const start = text.lastIndexOf('\n') + 1;
  return openBlocks(text.slice(0, start)).at(-1)?.isProse === false || isAfterOpenMark(text.slice(start));
}

function isAfterOpenMark(line: string): boolean {
  let open = 0;
  for (const [run] of line.matchAll(/\\`|`+/g)) {
    // A backslash in front of a mark makes it a letter, but not inside code.
    const length = run[0] === '`' ? run.length : open > 0 ? 1 : 0;
    if (open === 0) open = length;
    else if (length === open) open = 0;
  }
  // A single mark that nothing closes may still be a letter; three begin a block.
  return open > 0 && !/^ {0,3}`{3,}[\w+#-]*$/.test(line);
}
