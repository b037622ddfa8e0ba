import { expect, test } from 'vitest';
import { localeOf } from '#web/parts/time.ts';

test.each([
  ['de', ['en-US', 'en'], 'de'],
  ['en', ['de-DE', 'en-GB', 'en-US'], 'en-GB'],
  ['en', ['en-US@posix'], 'en'],
  ['pt_BR', ['en-US'], 'pt-BR'],
  ['no language', ['en-US'], undefined],
  [undefined, ['en-US'], undefined],
])('Dates are written for the setting %s and a browser of %s in %s', (setting, ofBrowser, locale) => {
  expect(localeOf(setting, ofBrowser)).toBe(locale);
});
