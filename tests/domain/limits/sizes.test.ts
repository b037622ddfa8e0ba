import { describe, expect, test } from 'vitest';
import { removeAlertWords } from '#shared/domain/alert-words/alert-words.ts';
import { createLinkifier, editLinkifier } from '#shared/domain/linkifiers/edit.ts';
import { loadEngine } from '#shared/domain/linkifiers/load-engine.ts';
import { checkContent } from '#shared/domain/messages/compose.ts';
import { checkTentativeTopic, checkTopic } from '#shared/domain/messages/topic.ts';
import { createPlayground } from '#shared/domain/playgrounds/playgrounds.ts';
import { profileDifferences } from '#shared/domain/profile/data.ts';
import { profileFieldTypes } from '#shared/domain/profile/field.ts';
import { isTimezone } from '#shared/domain/settings/timezone.ts';
import { readFileName } from '#shared/domain/uploads/upload.ts';
import type { User } from '#shared/domain/users/user.ts';
import { idsFrom, outcomeOf, wide } from './edge.ts';
import { account, field, linkifier } from './things.ts';

const engine = await loadEngine();

describe('Too long values are cut', () => {
  test('A message to 10 000 characters, with a note', () => {
    expect(checkContent(wide(10_000))).toBe(wide(10_000));
    const cut = checkContent(wide(10_001));
    expect([...cut]).toHaveLength(10_000);
    expect(cut.endsWith('𝒳\n[message truncated]')).toBe(true);
  });

  test.each([
    ['checkTopic', checkTopic],
    ['checkTentativeTopic', checkTentativeTopic],
  ])('A topic to 60 characters, with an ellipsis, by %s', (_name, cut) => {
    expect(cut(wide(60))).toBe(wide(60));
    expect(cut(wide(61))).toBe(`${wide(57)}...`);
  });

  test('The name of a file to 200 characters, with its whole extension of at most 20', () => {
    expect(readFileName(`${wide(196)}.txt`)).toBe(`${wide(196)}.txt`);
    expect(readFileName(`${wide(197)}.txt`)).toBe(`${wide(196)}.txt`);
    const ending = `.${'e'.repeat(19)}`;
    expect(readFileName(wide(200) + ending)).toBe(wide(180) + ending);
    expect(readFileName(`${wide(200)}${ending}e`)).toBe(wide(200));
  });

  test('Removed alert words to the newest thousand, and to 20 000 characters', () => {
    const current = (words: string[]) => words.map((word) => ({ word, after: 1 }));
    const pastAfter = (past: string[], removed: string) => {
      const known = {
        words: current([removed]),
        past: past.map((word) => ({ word, after: 1, upTo: 2 })),
        revision: 1,
      };
      const { writes } = removeAlertWords(account, known, [removed]).change;
      const [put] = (writes as unknown as (position: number) => { item: { past: { word: string }[] } }[])(9);
      return put?.item.past.map(({ word }) => word);
    };
    const words = idsFrom(1, 1_000).map((id) => `w${id}`);
    expect(pastAfter(words.slice(1), 'new')).toEqual([...words.slice(1), 'new']);
    expect(pastAfter(words, 'new')).toEqual([...words.slice(1), 'new']);
    expect(pastAfter(['old', wide(10_000)], wide(10_000))).toEqual([wide(10_000), wide(10_000)]);
    expect(pastAfter(['old', wide(9_997)], wide(10_000))).toEqual(['old', wide(9_997), wide(10_000)]);
  });
});

test('A profile has at most 30 000 characters', () => {
  const fields = idsFrom(1, 100).map((id) => field(id, profileFieldTypes.link));
  const link = (length: number) => `https://example.com/${'a'.repeat(length - 20)}`;
  const value = (length: number) => ({ value: link(length) });
  // Fourteen of them, and one that fills the rest.
  const whole = Object.fromEntries(idsFrom(1, 14).map((id) => [id, value(2_000)]));
  const rest = 30_000 - JSON.stringify({ ...whole, 15: { value: '' } }).length;
  const known = { fields: { fields, lastId: 100, revision: 1 }, users: [], byAdministrator: false };
  const ofLength = (length: number) => () =>
    profileDifferences({ profileData: whole } as unknown as User, [{ id: 15, value: link(length) }], known);
  expect(outcomeOf(ofLength(rest))).toBe('taken');
  expect(outcomeOf(ofLength(rest + 1))).toBe('The profile is too long');
});

describe('Lists in one event have at most 100 000 characters', () => {
  test('For the code playgrounds', () => {
    const playground = (id: number, length: number) => ({
      id,
      name: 'x'.repeat(length),
      language: 'Rust',
      urlTemplate: 'https://example.com/{code}',
    });
    const all = [playground(1, 50_000), playground(2, 40_000)];
    const record = { name: '', pygments_language: 'Rust', url_template: 'https://example.com/{code}' };
    const used =
      JSON.stringify([1, 2, 3].map((id) => ({ id, ...record }))).length +
      all[0]!.name.length +
      all[1]!.name.length;
    const { id: _id, ...given } = playground(3, 100_000 - used);
    const known = { playgrounds: all, lastId: 2, revision: 1 };
    expect(outcomeOf(() => createPlayground(known, given))).toBe('taken');
    expect(outcomeOf(() => createPlayground(known, { ...given, name: `${given.name}x` }))).toBe(
      'The code playgrounds are too long together.',
    );
  });
});

test('The patterns of all linkifiers together have at most a thousand steps', () => {
  const sizeOf = (pattern: string) => engine.readPattern(pattern).size;
  const base = sizeOf('(?P<id>x)');
  const pattern = (size: number, letter = 'y') => `(?P<id>x${letter.repeat(size - base)})`;
  expect(sizeOf(pattern(500))).toBe(500);
  const known = { linkifiers: [{ ...linkifier, id: 1, pattern: pattern(500, 'z') }], lastId: 1, revision: 1 };
  const ofSize = (size: number) => () =>
    createLinkifier(known, { ...linkifier, pattern: pattern(size) }, engine);
  expect(outcomeOf(ofSize(500))).toBe('taken');
  expect(outcomeOf(ofSize(501))).toBe('The linkifier patterns are too complex together.');
  const edit = (size: number) => () => editLinkifier(known, 1, { pattern: pattern(size) }, engine);
  expect(outcomeOf(edit(1_000))).toBe('taken');
  expect(outcomeOf(edit(1_001))).toBe('The linkifier patterns are too complex together.');
});

test('A time zone has a known name, in its canonical spelling', () => {
  expect(isTimezone('America/Argentina/ComodRivadavia')).toBe(true);
  expect(isTimezone('Europe/Berlin')).toBe(true);
  for (const name of ['europe/berlin', 'Europe/berlin', 'Europe/Nowhere', '+01:00', ''])
    expect(isTimezone(name), name).toBe(false);
});
