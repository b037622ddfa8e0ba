import { describe, expect, test } from 'vitest';
import { leftOfTopic, looksLikeMessage, offerTopics } from '#web/state/destination.ts';
import { findTargets, noteUse, type Target } from '#web/state/jump.ts';
import { fold, holds, isOneSlip, matchRank } from '#web/state/match.ts';

describe('Looking up names', () => {
  test('Ignores case and marks of letters', () => {
    expect(fold('Åse Ørsted Łukasz STRAẞE')).toBe('ase orsted lukasz strasse');
    expect(holds('Renée Müller', 'renee mul')).toBe(true);
    expect(holds('Ada', 'eda')).toBe(false);
  });

  test.each([
    ['Γιώργος', 'ΓΙΩΡΓΟΣ'],
    ['Παυλίνα Σοφιανού', 'παυλινα σ'],
    ['Işıl İnci', 'isil inci'],
    ['علي الكعبي', 'علی الکعبی'],
    ['فاطمة', 'فاطمه'],
    ['مـــريم', 'مريم'],
    ['می\u200cنا', 'مینا'],
    ['שלומית', 'שלום'],
    ['Ｔａｎａｋａ', 'tanaka'],
    ['ﾀﾅｶ', 'たなか'],
    ['José', 'Jose\u0301'],
    ['Nguyễn', 'nguyen'],
    ['Алёна', 'алена'],
    ['O’Brien', "o'brien"],
    ['Anne‑Marie', 'anne-m'],
  ])('Finds “%s” by “%s”', (name, typed) => {
    expect(holds(name, typed)).toBe(true);
    expect(matchRank(name, typed)).toBeLessThan(2);
  });

  test.each([
    ['design', 'Design', 0],
    ['design review', 'des', 1],
    ['web design', 'des', 2],
    ['redesign', 'des', 3],
    ['Mats Lindqvist', 'li ma', 4],
    ['release notes', 'rele not', 4],
    ['weekly team sync', 'wts', 5],
    ['onboarding', 'onbaording', 6],
    ['Lindqvist', 'Lindqist', 6],
    ['design', 'xyz', undefined],
    ['cat', 'cot', undefined],
  ])('Gives “%s” for “%s” the rank %s', (name, typed, rank) => {
    expect(matchRank(name, typed)).toBe(rank);
  });

  test('Allows one slip: a letter more, fewer or another, or two in the wrong order', () => {
    for (const typed of ['ovn', 'oveen', 'ovan', 'oevn', 'oven']) expect(isOneSlip('oven', typed)).toBe(true);
    for (const typed of ['on', 'ovenly', 'nevo', 'oavnx']) expect(isOneSlip('oven', typed)).toBe(false);
  });
});

const target = (key: string, name: string, fields: Partial<Target> = {}): Target => ({
  ...{ key, kind: 'topic', name, note: '', newestId: 0, ...fields },
});

describe('The quick switcher', () => {
  const all = [
    target('1', 'logo colors', { newestId: 5 }),
    target('2', 'logo shapes', { newestId: 9 }),
    target('3', 'logos', { kind: 'channel' }),
    target('4', 'Frida', { kind: 'person', words: ['lo@example.com'] }),
  ];
  const keys = (typed: string, uses = {}) => findTargets(all, typed, uses, 9).map(({ key }) => key);

  test('Lists better names first, then recently used ones, then the newest', () => {
    expect(keys('logo')).toEqual(['3', '2', '1']);
    expect(keys('logo', { 1: 7 })).toEqual(['1', '3', '2']);
    expect(keys('lo@ex')).toEqual(['4']);
    expect(keys('shpes')).toEqual(['2']);
  });

  test('Restricts the search by a sign at the beginning', () => {
    expect(keys('@fri')).toEqual(['4']);
    expect(keys('>logo')).toEqual(['2', '1']);
    expect(keys('#logo')).toEqual(['3', '2', '1']);
  });

  test('Remembers uses, and drops the oldest', () => {
    const uses = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, index + 1]));
    const next = noteUse(uses, 'new', 1_000);
    expect(Object.keys(next)).toHaveLength(100);
    expect([next.new, next.k0]).toEqual([1_000, undefined]);
  });
});

describe('The topic of a new message', () => {
  const topics = ['menu', 'Oven repair', 'oven'];

  test('Comes from existing ones by fit and time, and is new if no topic has the name', () => {
    expect(offerTopics('', topics).map(({ name }) => name)).toEqual(topics);
    expect(offerTopics('ov', topics)).toEqual([
      { name: 'Oven repair', isNew: false },
      { name: 'oven', isNew: false },
      { name: 'ov', isNew: true },
    ]);
    expect(offerTopics('OVEN', topics).some(({ isNew }) => isNew)).toBe(false);
  });

  test('Gets a warning if it reads like a message', () => {
    expect(looksLikeMessage('Could you look? It is cold')).toBe(true);
    expect(looksLikeMessage('x'.repeat(41))).toBe(true);
    expect(looksLikeMessage('v1.0 release notes')).toBe(false);
  });

  test('Shows the remaining characters once they are few', () => {
    expect(leftOfTopic('short', 60)).toBeUndefined();
    expect(leftOfTopic('x'.repeat(50), 60)).toBe(10);
    expect(leftOfTopic('x'.repeat(61), 60)).toBe(-1);
  });
});
