import compile from 'icu-minify/compile';
import { afterEach, expect, test } from 'vitest';
import { inlineTexts } from '#infra/web/texts.ts';
import { english } from '#web/texts/en.ts';
import { listOf, rich, setLanguage, type TextKey, t } from '#web/texts/texts.ts';

const KEYS = Object.keys(english) as TextKey[];

/** A key as the build writes it into scripts. */
const built = <Key extends TextKey>(key: Key): Key => {
  const [, reference = ''] = /^it\((.*)\)$/s.exec(inlineTexts(`it('${key}')`)) ?? [];
  return JSON.parse(reference);
};

/** A catalogue with some texts in another language. */
const catalogueOf = (texts: Partial<Record<TextKey, string>>) =>
  KEYS.map((key) => compile(texts[key] ?? english[key]));

afterEach(() => setLanguage('en'));

test('The build writes the English message in place of a key, and leaves other literals', () => {
  expect(inlineTexts("t('common.undo') + 'no.key' + './file.ts'")).toBe(
    `t([${KEYS.indexOf('common.undo')},"Undo"]) + 'no.key' + './file.ts'`,
  );
});

test('Counts are written in the plural of the language, with its digits', () => {
  const key = built('common.personCount');
  expect([1, 2, 1200].map((count) => t(key, { count }))).toEqual(['1 person', '2 people', '1,200 people']);
  const arabic =
    '{count, plural, zero {لا أحد} one {شخص واحد} two {شخصان} few {# أشخاص} many {# شخصًا} other {# شخص}}';
  setLanguage('ar-EG', catalogueOf({ 'common.personCount': arabic }));
  const written = [0, 1, 2, 3, 11, 100].map((count) => t(key, { count }));
  expect(written).toEqual(['لا أحد', 'شخص واحد', 'شخصان', '٣ أشخاص', '١١ شخصًا', '١٠٠ شخص']);
});

test('Texts come from the catalogue of the language, and its lists are written as it writes them', () => {
  setLanguage('de', catalogueOf({ 'common.undo': 'Rückgängig' }));
  expect(t(built('common.undo'))).toBe('Rückgängig');
  expect(listOf(['Ada', 'Bo', 'Cy'])).toBe('Ada, Bo und Cy');
});

test('Elements inside a text are made by functions of their names', () => {
  const parts = rich(built('settings.youSignInAs'), {
    email: 'ada@example.com',
    strong: (name) => ({ type: 'strong', name }) as never,
  });
  expect(parts).toEqual(['You sign in with ', { type: 'strong', name: ['ada@example.com'] }, '.']);
});
