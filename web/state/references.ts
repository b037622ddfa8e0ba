/** How references to people and places are written so that the service resolves them as meant. Pure. */

/** Words after an @ that mean many people. */
const WILDCARDS = new Set(['all', 'everyone', 'channel', 'stream', 'topic']);

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
const literal = (text: string): string =>
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

/** Whether the end of a text is inside code: in an open block, or between marks on its line. */
export function endsInCode(text: string): boolean {
  let fence: string | undefined;
  const lines = text.split('\n');
  for (const line of lines.slice(0, -1)) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (!mark) continue;
    const [, run = '', rest = ''] = mark;
    if (fence === undefined) fence = run;
    else if (run[0] === fence[0] && run.length >= fence.length && rest.trim() === '') fence = undefined;
  }
  const last = lines.at(-1) ?? '';
  if (fence !== undefined) return true;
  return isAfterOpenMark(last);
}

/** Names of blocks whose text is no code, although they are fenced. */
const PROSE_FENCE = /^ {0,3}(?:`{3,}|~{3,})\s*(?:quote|spoiler)\b/;

/** The text without its blocks of quotes and spoilers, whose insides are written like any other text. */
export const withoutProseFences = (text: string): string => {
  let open = false;
  return text
    .split('\n')
    .map((line) => {
      if (!open && PROSE_FENCE.test(line)) {
        open = true;
        return '';
      }
      if (open && /^ {0,3}(?:`{3,}|~{3,})\s*$/.test(line)) {
        open = false;
        return '';
      }
      return line;
    })
    .join('\n');
};

function isAfterOpenMark(line: string): boolean {
  let open = 0;
  for (const [run] of line.matchAll(/`+/g)) {
    if (open === 0) open = run.length;
    else if (run.length === open) open = 0;
  }
  // A single mark that nothing closes may still be a letter; three begin a block.
  return open > 0 && !/^ {0,3}`{3,}[\w+#-]*$/.test(line);
}
