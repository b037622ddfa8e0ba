import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';

interface Listed {
  hexcode: string;
  group?: number;
  tags: string[];
}

/** Provides `emoji-table` to the web client: `[code, group, words to find it by]` in keyboard order, which is that of the library. */
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
        .map(({ hexcode, group, tags }) => [hexcode.toLowerCase(), group, tags.join(' ')]);
      return { contents: JSON.stringify(rows), loader: 'json' };
    });
  },
};
