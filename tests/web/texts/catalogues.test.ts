import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { messages as arabic } from '#web/texts/ar.ts';
import { messages as german } from '#web/texts/de.ts';
import { english } from '#web/texts/en.ts';
import { messages as japanese } from '#web/texts/ja.ts';
import { faultsOf, shapeOf } from './shape.ts';

type Catalogue = Readonly<Record<string, string>>;
const ORIGINALS: Catalogue = english;
const CATALOGUES: Readonly<Record<string, Catalogue>> = { de: german, ja: japanese, ar: arabic };
/** Languages in which every text is translated. */
const COMPLETE: string[] = ['de', 'ja', 'ar'];

describe('The English catalogue', () => {
  test('Holds ICU messages with the plural forms of English', () => {
    const faults = Object.entries(ORIGINALS).flatMap(([key, text]) =>
      faultsOf('en', text, text).map((fault) => `${key} ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  test('Names texts by area and words', () => {
    expect(Object.keys(ORIGINALS).filter((key) => !/^[a-z][A-Za-z]+\.[a-z]\w+$/.test(key))).toEqual([]);
  });

  test('Holds no text that nothing shows', () => {
    const scripts = globSync('web/{net,parts,state,views}/**/*.{ts,tsx}').map((file) =>
      readFileSync(file, 'utf8'),
    );
    const used = new Set(scripts.flatMap((script) => script.match(/(?<=')[a-z]\w*\.\w+(?=')/g) ?? []));
    expect(Object.keys(ORIGINALS).filter((key) => !used.has(key))).toEqual([]);
  });
});

describe.each(Object.entries(CATALOGUES))('The catalogue of %s', (language, texts) => {
  test('Has only texts of the English one', () => {
    expect(Object.keys(texts).filter((key) => !Object.hasOwn(ORIGINALS, key))).toEqual([]);
  });

  test('Has the parameters of the English texts, and the plural forms of its language', () => {
    const faults = Object.entries(texts).flatMap(([key, text]) =>
      faultsOf(language, ORIGINALS[key] ?? '', text).map((fault) => `${key} ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  test.runIf(COMPLETE.includes(language))('Has every text of the English one', () => {
    expect(Object.keys(ORIGINALS).filter((key) => !Object.hasOwn(texts, key))).toEqual([]);
  });
});

describe('A translation is refused', () => {
  const DAYS = '{n, plural, one {# day} other {# days}}';
  test.each([
    ['de', 'Close', ' ', 'is empty'],
    ['de', 'Remove {name}', 'Entfernen', 'has no parts in place of {name}'],
    ['de', 'Sent to <b>{name}</b>', 'An {name}', 'has {name} in place of <b> {name}'],
    ['de', DAYS, '{n, plural, other {# Tage}}', 'has no plural for one'],
    [
      'ja',
      DAYS,
      '{n, plural, one {#日} other {#日}}',
      'has a plural for one, which the language does not have',
    ],
    ['ar', DAYS, '{n, plural, one {يوم} other {# يوم}}', 'has no plural for zero two few many'],
  ])('In %s, of %j to %j', (language, original, translated, fault) => {
    expect(faultsOf(language, original, translated)).toEqual([fault]);
  });

  test('If it is no ICU message', () => {
    expect(() => shapeOf('{count, plural, one {#}')).toThrow();
  });
});
