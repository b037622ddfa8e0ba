import { expect, test } from 'vitest';
import { chooseLanguage, directionOf, localeOf } from '#web/texts/language.ts';

test.each([
  [['de-AT', 'en'], 'de'],
  [['fr', 'ja-JP', 'de'], 'ja'],
  [['ar'], 'ar'],
  [['pt_BR', 'AR-EG'], 'ar'],
  [['fr', 'sv'], 'en'],
  [['constructor', '__proto__', ''], 'en'],
  [[], 'en'],
])('A browser that wants %j gets %s', (wanted, language) => {
  expect(chooseLanguage(wanted)).toBe(language);
});

test('Arabic runs from right to left', () => {
  expect((['en', 'de', 'ja', 'ar'] as const).map(directionOf)).toEqual(['ltr', 'ltr', 'ltr', 'rtl']);
});

test.each([
  ['de', ['en-US', 'en'], 'de'],
  ['en', ['de-DE', 'en-GB', 'en-US'], 'en-GB'],
  ['en', ['en-US@posix'], 'en'],
  ['ar', ['ar-EG'], 'ar-EG'],
] as const)('Dates of %s in a browser of %j are written as in %s', (language, ofBrowser, locale) => {
  expect(localeOf(language, ofBrowser)).toBe(locale);
});
