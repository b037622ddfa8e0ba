import { readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Plugin } from 'esbuild';
import compile from 'icu-minify/compile';
import { english } from '#web/texts/en.ts';

const CLIENT = join(import.meta.dirname, '../../web');

const KEYS = Object.keys(english);
const references = new Map(
  Object.entries(english).map(([key, message], number) => [key, JSON.stringify([number, compile(message)])]),
);

/** A literal that may be a key: `'inbox.title'`. */
const LITERAL = /'([a-z]\w*\.\w+)'/g;
const SCRIPT = /[\\/]web[\\/](?:net|parts|state|views)\b.*\.tsx?$/;
const CATALOGUE = /[\\/]web[\\/]texts[\\/](?:de|ja|ar)\.ts$/;

/** Whether a file holds keys of texts. */
export const isScriptOfClient = (file: string): boolean => file.startsWith(CLIENT) && SCRIPT.test(file);

/** Replaces each key in a script by its number and its compiled English message: a page of English loads no catalogue. */
export const inlineTexts = (script: string): string =>
  script.replace(LITERAL, (literal, key: string) => references.get(key) ?? literal);

/** Provides the web client with its texts, compiled: English in place of the keys, other languages as lists in the same order. */
export const texts: Plugin = {
  name: 'texts',
  setup({ onLoad }) {
    onLoad({ filter: SCRIPT }, async ({ path }) => ({
      contents: inlineTexts(await readFile(path, 'utf8')),
      loader: extname(path) === '.tsx' ? 'tsx' : 'ts',
    }));
    onLoad({ filter: CATALOGUE }, async ({ path }) => {
      const { messages } = (await import(`#web/texts/${basename(path)}`)) as {
        messages: Record<string, string>;
      };
      const compiled = KEYS.map((key) => compile(messages[key] ?? english[key as keyof typeof english]));
      return { contents: `export const messages = ${JSON.stringify(compiled)};`, loader: 'js' };
    });
  },
};
