import shortcodes from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' };

/** Where the protocol gives a name to another emoji than the list does. */
const namesOfTheProtocol: Record<string, string> = { smile: '1f642' };

/** One emoji in several colours of skin is one to the protocol. */
const COLOURED = /1F3F[B-F]-|-1F3F[B-F]/;

const codeByName = new Map<string, string>();
const codes = new Set<string>();
for (const [sequence, names] of Object.entries<string | string[]>(shortcodes)) {
  if (COLOURED.test(sequence)) continue;
  const code = sequence.replaceAll('-FE0F', '').toLowerCase();
  codes.add(code);
  for (const name of [names].flat()) codeByName.set(name.replaceAll('-', '_'), code);
}
for (const [name, code] of Object.entries(namesOfTheProtocol)) codeByName.set(name, code);

/** The code of the emoji that has this name: its code points in hexadecimal digits. */
export const findEmojiCode = (name: string): string | undefined => codeByName.get(name);

export const isEmojiCode = (code: string): boolean => codes.has(code);
