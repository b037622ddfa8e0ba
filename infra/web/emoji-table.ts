import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';

interface Listed {
  hexcode: string;
  group?: number;
  tags: string[];
  skins?: { hexcode: string; tone: number | number[] }[];
}

/** Whether each skin tone of an emoji is its code with the tone after the first point. */
const hasTones = ({ hexcode, skins = [] }: Listed): boolean => {
  const [first = '', ...others] = hexcode.split('-').filter((point) => point !== 'FE0F');
  const codeOf = (tone: number): string =>
    [first, (0x1f3fa + tone).toString(16).toUpperCase(), ...others].join('-');
  return [1, 2, 3, 4, 5].every((tone) =>
    skins.some((skin) => skin.tone === tone && skin.hexcode.replaceAll('-FE0F', '') === codeOf(tone)),
  );
};

/** Provides `emoji-table` to the web client: `[code, group, words to find it by, 1 if it has skin tones]` in keyboard order, which is that of the library. */
export const emojiTable: Plugin = {
  name: 'emoji-table',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^#web\/parts\/emoji-table\.json$/ }, () => ({
      path: 'emoji-table',
      namespace: 'emoji-table',
    }));
    onLoad({ filter: /.*/, namespace: 'emoji-table' }, async () => {
      const file = fileURLToPath(import.meta.resolve('emojibase-data/en/data.json'));
      const all = JSON.parse(await readFile(file, 'utf8')) as Listed[];
      const rows = all
        .filter(({ group }) => group !== undefined && group !== 2)
        .map((emoji) => {
          const { hexcode, group, tags } = emoji;
          return [hexcode.toLowerCase(), group, tags.join(' '), ...(hasTones(emoji) ? [1] : [])];
        });
      return { contents: JSON.stringify(rows), loader: 'json' };
    });
  },
};
