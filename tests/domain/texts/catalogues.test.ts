import { describe, expect, test } from 'vitest';
import { messages as arabic } from '#shared/domain/texts/ar.ts';
import { messages as german } from '#shared/domain/texts/de.ts';
import { english } from '#shared/domain/texts/en.ts';
import { messages as japanese } from '#shared/domain/texts/ja.ts';
import { inEnglish, sayFrom } from '#shared/domain/texts/texts.ts';
import { faultsOf } from '#tests/web/texts/shape.ts';

const ORIGINALS: Readonly<Record<string, string>> = english;
const CATALOGUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  de: german,
  ja: japanese,
  ar: arabic,
};
/** Languages in which every text is translated. */
const COMPLETE: string[] = ['de', 'ja', 'ar'];

test('The English texts of mails and bots are ICU messages with the plural forms of English', () => {
  const faults = Object.entries(ORIGINALS).flatMap(([key, text]) =>
    faultsOf('en', text, text).map((fault) => `${key} ${fault}`),
  );
  expect(faults).toEqual([]);
});

describe.each(Object.entries(CATALOGUES))('The texts of mails and bots in %s', (language, texts) => {
  test('Have the keys and parameters of English, and the plural forms of the language', () => {
    const faults = Object.entries(texts).flatMap(([key, text]) =>
      Object.hasOwn(ORIGINALS, key)
        ? faultsOf(language, ORIGINALS[key] ?? '', text).map((fault) => `${key} ${fault}`)
        : `${key} is no text`,
    );
    expect(faults).toEqual([]);
  });

  test.runIf(COMPLETE.includes(language))('Leave no key of English out', () => {
    expect(Object.keys(ORIGINALS).filter((key) => !Object.hasOwn(texts, key))).toEqual([]);
  });
});

test('A text that a catalogue lacks is English, and what fills a text is left as it is', () => {
  const say = sayFrom('de', { 'people.joined': '{person} ist jetzt hier.' });
  const person = "@_**{Ada} <b> it's|7**";
  expect(say('people.joined', { person })).toBe(`${person} ist jetzt hier.`);
  expect(say('people.accepted', { person })).toBe(`${person} accepted your invitation to join.`);
  expect(inEnglish('topics.messagesCame', { count: 1200, place: 'x', person: 'Ada' })).toBe(
    '1200 messages were moved here from x by Ada.',
  );
});
