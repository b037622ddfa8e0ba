import { describe, expect, test } from 'vitest';
import { type Replacement, toggleMarks } from '#web/state/marks.ts';
import { endsInCode, linkText, mentionText, placeText, withoutProseFences } from '#web/state/references.ts';
import { nameOfPress } from '#web/state/shortcuts.ts';

describe('The inserted text of a completion', () => {
  const person = (name: string, isUnique = true) => mentionText({ name, id: 5, isUnique });

  test('Has the id of a person whose name is ambiguous', () => {
    expect(person('Ada')).toBe('@**Ada**');
    expect(person('Ada', false)).toBe('@**Ada|5**');
    for (const name of ['all', 'Everyone', 'channel', 'topic', 'stream', 'Ada|7'])
      expect(person(name)).toBe(`@**${name}|5**`);
    expect(person('A * B')).toBe('@**|5**');
    expect(mentionText({ name: 'Ada', id: 5, isUnique: true }, true)).toBe('@_**Ada**');
  });

  test.each(['**bold** plan', '5 * 3 * 2', 'r*d `x` > y', 'costs $5', 'note@12'])(
    'Links the topic “%s”, since a reference would end in it',
    (topic) => {
      const text = placeText({ channel: 'design', topic }, '#narrow/x');
      expect(text).toMatch(/^\[#design > [^\]*`$@]*\]\(#narrow\/x\)$/);
    },
  );

  test('Uses references for plain names', () => {
    expect(placeText({ channel: 'design', topic: 'a > b' }, '#x')).toBe('#**design>a > b**');
    expect(placeText({ channel: 'design' }, '#x')).toBe('#**design**');
    expect(placeText({ channel: 'a>b' }, '#x')).toBe('[#a>b](#x)');
    expect(linkText('[x]', '#y')).toBe('[&#91;x&#93;](#y)');
  });

  test.each([
    ['`one', true],
    ['`one` and', false],
    ['``a ` b', true],
    ['```js\nlet a', true],
    ['```\ncode\n```\nout', false],
    ['~~~\n```\nstill', true],
    ['```quote\n@', false],
    ['plain', false],
  ])('Treats the end of %j as code: %s', (text, isIn) => {
    expect(endsInCode(withoutProseFences(text))).toBe(isIn);
  });
});

describe('Marks around a selection', () => {
  const marks = (text: string, before = '**', after = before): string => {
    const from = text.indexOf('<');
    const to = text.indexOf('>') - 1;
    const bare = text.replace('<', '').replace('>', '');
    const made: Replacement = toggleMarks({ text: bare, from, to }, before, after);
    const all = bare.slice(0, made.from) + made.text + bare.slice(made.to);
    const [a, b] = made.selection;
    return `${all.slice(0, a)}<${all.slice(a, b)}>${all.slice(b)}`;
  };

  test.each([
    ['a <word> b', 'a **<word>** b'],
    ['a <word >b', 'a **<word>** b'],
    ['a< word> b', 'a **<word>** b'],
    ['a **<word>** b', 'a <word> b'],
    ['a <**word**> b', 'a <word> b'],
    ['a <> b', 'a **<>** b'],
    ['**<>**', '<>'],
    ['***<word>***', '*<word>*'],
  ])('Turn %j into %j for bold', (before, after) => {
    expect(marks(before)).toBe(after);
  });

  test('Do not use a bold mark for italic', () => {
    expect(marks('**<word>**', '*')).toBe('***<word>***');
    expect(marks('***<word>***', '*')).toBe('**<word>**');
    expect(marks('*<word>*', '*')).toBe('<word>');
  });
});

describe('Keys of other layouts', () => {
  const press = (key: string, code: string, fields = {}) => ({
    ...{ key, code, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...fields },
  });

  test('Count by their position if they have no Latin letter', () => {
    expect(nameOfPress(press('о', 'KeyJ'), false)).toBe('j');
    expect(nameOfPress(press('О', 'KeyJ', { shiftKey: true }), false)).toBe('J');
    expect(nameOfPress(press('л', 'KeyK', { ctrlKey: true }), false)).toBe('Ctrl+k');
    expect(nameOfPress(press('ξ', 'KeyJ'), false)).toBe('j');
    expect(nameOfPress(press('ח', 'KeyJ'), false)).toBe('j');
    expect(nameOfPress(press('х', 'BracketLeft', { ctrlKey: true }), false)).toBe('Ctrl+[');
    expect(nameOfPress(press('z', 'KeyY'), false)).toBe('z');
  });

  test('Leave Ctrl and Option to the system on a Mac, and use Cmd for commands', () => {
    expect(nameOfPress(press('k', 'KeyK', { ctrlKey: true }), true)).toBe('System+');
    expect(nameOfPress(press('π', 'KeyP', { altKey: true }), true)).toBe('System+');
    expect(nameOfPress(press('k', 'KeyK', { metaKey: true }), true)).toBe('Ctrl+k');
    expect(nameOfPress(press('k', 'KeyK', { ctrlKey: true }), false)).toBe('Ctrl+k');
  });
});
