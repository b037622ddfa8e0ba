import shortcodes from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' };

const names = new Set(
  Object.values<string | string[]>(shortcodes)
    .flat()
    .map((name) => name.replaceAll('-', '_')),
);

/** Whether an emoji of every organization has this name: one of Unicode, or the one of the protocol. */
export const isBuiltInEmoji = (name: string): boolean => name === 'zulip' || names.has(name);
