import { readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Plugin } from 'esbuild';
import compile from 'icu-minify/compile';
import { messages as ar } from '#web/texts/ar.ts';
import { messages as de } from '#web/texts/de.ts';
import { english } from '#web/texts/en.ts';
import { messages as ja } from '#web/texts/ja.ts';

const CLIENT = join(import.meta.dirname, '../../web');

const ORIGINALS: Readonly<Record<string, string>> = english;
const CATALOGUES: Readonly<Record<string, Readonly<Record<string, string>>>> = { de, ja, ar };
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
    onLoad({ filter: SCRIPT, namespace: 'file' }, async ({ path }) => ({
      contents: inlineTexts(await readFile(path, 'utf8')),
      loader: extname(path) === '.tsx' ? 'tsx' : 'ts',
    }));
    onLoad({ filter: CATALOGUE }, ({ path }) => {
      const messages = CATALOGUES[basename(path, '.ts')] ?? {};
      const compiled = KEYS.map((key) => compile(messages[key] ?? ORIGINALS[key] ?? ''));
      return { contents: `export const messages = ${JSON.stringify(compiled)};`, loader: 'js' };
    });
  },
};
