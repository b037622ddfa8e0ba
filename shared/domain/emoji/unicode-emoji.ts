import shortcodes from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' };

/** Names that the protocol assigns differently from the list. */
const namesOfTheProtocol: Record<string, string> = { smile: '1f642', big_smile: '1f604' };

/** The protocol treats all skin tones of an emoji as one. */
const COLOURED = /1F3F[B-F]-|-1F3F[B-F]/;

const codeByName = new Map(Object.entries(namesOfTheProtocol));
const codes = new Set<string>();
for (const [sequence, names] of Object.entries<string | string[]>(shortcodes)) {
  if (COLOURED.test(sequence)) continue;
  const code = sequence.replaceAll('-FE0F', '').toLowerCase();
  codes.add(code);
  for (const name of [names].flat().flatMap(spellings)) if (!codeByName.has(name)) codeByName.set(name, code);
}

/** A name of several words is also found with underscores. The hyphen of `-1` is a sign. */
function spellings(name: string): string[] {
  const underscored = name.replace(/(?<=\w)-/g, '_');
  return underscored === name ? [name] : [name, underscored];
}

/** The code of the emoji that has this name: its code points in hexadecimal digits. */
export const findEmojiCode = (name: string): string | undefined => codeByName.get(name);

export const isEmojiCode = (code: string): boolean => codes.has(code);

/** Every emoji with its names, the display name first. */
export function listEmojiNames(): Record<string, string[]> {
  const byCode = Map.groupBy(codeByName, ([, code]) => code);
  return Object.fromEntries([...byCode].map(([code, named]) => [code, named.map(([name]) => name)]));
}

let nameByCode: Map<string, string> | undefined;

/** The display name of the emoji with this code. */
export function findEmojiName(code: string): string | undefined {
  nameByCode ??= new Map([...codeByName].reverse().map(([name, code]) => [code, name]));
  return nameByCode.get(code);
}
