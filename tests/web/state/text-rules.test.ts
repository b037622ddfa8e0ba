import { describe, expect, test } from 'vitest';
import { linkOfPaste, type Replacement, type Selected, toggleLink, toggleMarks } from '#web/state/marks.ts';
import {
  closingFences,
  endsInCode,
  isOnlyName,
  linkText,
  mentionText,
  placeText,
} from '#web/state/references.ts';
import { findShortcut, nameOfPress } from '#web/state/shortcuts.ts';

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
    ['```quote\n```js\nlet a', true],
    ['```quote\n```js\nlet a\n```\n@', false],
    ['````\n```quote\n@', true],
    ['```inline``` @', false],
    ['a \\`b @', false],
    ['`a \\` @', false],
    ['plain', false],
  ])('Treats the end of %j as code: %s', (text, isIn) => {
    expect(endsInCode(text)).toBe(isIn);
  });
});

test('A name that another person has in other letter case is not unique', () => {
  const named = (...names: string[]) => names.map((full_name) => ({ full_name }));
  expect(isOnlyName('Ada', named('Ada', 'ADA'))).toBe(false);
  expect(isOnlyName('Zoë', named('Zoë', 'zoe\u0308'))).toBe(false);
  expect(isOnlyName('Ada', named('Ada', 'Adam'))).toBe(true);
});

test('A quote closes the blocks that its message leaves open', () => {
  expect(closingFences('~~~quote\n```js\nlet a')).toEqual(['```', '~~~']);
  expect(closingFences('```js\nlet a\n```')).toEqual([]);
});

/** Runs a change of a text whose selection is between `<` and `>`, and shows its selection in the same way. */
const changed = (text: string, change: (selected: Selected) => Replacement): string => {
  const [from, to] = [text.indexOf('<'), text.indexOf('>') - 1];
  const bare = text.replace('<', '').replace('>', '');
  const made = change({ text: bare, from, to });
  const all = bare.slice(0, made.from) + made.text + bare.slice(made.to);
  const [a, b] = made.selection;
  return `${all.slice(0, a)}<${all.slice(a, b)}>${all.slice(b)}`;
};

describe('Marks around a selection', () => {
  const marks = (text: string, before = '**', after = before): string =>
    changed(text, (selected) => toggleMarks(selected, before, after));

  test.each([
    ['a <word> b', 'a **<word>** b'],
    ['a <word >b', 'a **<word>** b'],
    ['a< word> b', 'a **<word>** b'],
    ['a **<word>** b', 'a <word> b'],
    ['a <**word**> b', 'a <word> b'],
    ['a <> b', 'a **<>** b'],
    ['**<>**', '<>'],
    ['***<word>***', '*<word>*'],
    ['<* item>', '* **<item>**'],
    ['<**a** and **b**>', '**<a and b>**'],
    ['<one\ntwo>', '<**one**\n**two**>'],
    ['<**one**\n\n**two**>', '<one\n\ntwo>'],
    ['<* one\n2. **two**\n\n# three \n>', '<* **one**\n2. **two**\n\n# **three**> \n'],
    ['<one\n```\ncode\n```\n| a |>', '<**one**\n```\ncode\n```\n| a |>'],
    ['```\nsome <code>', '```\nsome <code>'],
    ['`some <code>`', '`some <code>`'],
  ])('Turn %j into %j for bold', (before, after) => {
    expect(marks(before)).toBe(after);
  });

  test('Do not use a bold mark for italic', () => {
    expect(marks('**<word>**', '*')).toBe('***<word>***');
    expect(marks('***<word>***', '*')).toBe('**<word>**');
    expect(marks('*<word>*', '*')).toBe('<word>');
  });

  test('Make a block of several lines of code, and code with backticks of a text that has one', () => {
    expect(marks('<a\nb>', '`')).toBe('```\n<a\nb>\n```\n');
    expect(marks('```\n<a\nb>\n```\n', '`')).toBe('<a\nb>');
    expect(marks('say <a\nb>', '`')).toBe('say \n```\n<a\nb>\n```\n');
    expect(marks('<a`b>', '`')).toBe('`` <a`b> ``');
  });

  test.each([
    ['see <this>', 'see [this](<url>)'],
    ['see <>', 'see [<>](url)'],
    ['see [<this>](https://a.b)', 'see <this>'],
    ['see <[this](https://a.b)>', 'see <this>'],
    ['see <https://a.b>', 'see [<>](https://a.b)'],
    ['<one\ntwo>', '[one](<url>)\n[two](url)'],
  ])('Turn %j into %j for a link', (before, after) => {
    expect(changed(before, toggleLink)).toBe(after);
  });

  test('Make a link of words over which an address is pasted', () => {
    const pasted = (text: string, address = 'https://a.b/c_(d)') =>
      changed(
        text,
        (selected) => linkOfPaste(selected, address) ?? { ...selected, text: '', selection: [0, 0] },
      );
    expect(pasted('see <the page >now')).toBe('see [the page](https://a.b/c_%28d%29)<> now');
    const untouched = ['see <https://x.y>', '[a](<url>)', '`<code>`', '<two\nlines>', '<>', '<[a](b)>'];
    for (const text of untouched) expect(pasted(text)).toMatch(/^<>/);
    expect(pasted('<word>', 'two words')).toMatch(/^<>/);
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
    expect(nameOfPress(press('€', 'KeyE'), false)).toBe('€');
    expect(nameOfPress(press('№', 'Digit3', { shiftKey: true }), false)).toBe('№');
  });

  test('Have the case that Shift gives them, whatever Caps Lock does', () => {
    const capital = (key: string, fields = {}) =>
      press(key, `Key${key.toUpperCase()}`, {
        getModifierState: (name: string) => name === 'CapsLock',
        ...fields,
      });
    expect(nameOfPress(capital('J'), false)).toBe('j');
    expect(nameOfPress(capital('j', { shiftKey: true }), false)).toBe('J');
    expect(nameOfPress(capital('L', { ctrlKey: true }), false)).toBe('Ctrl+l');
  });

  test('Count as the signs that AltGr writes', () => {
    const WITH_ALT_GR = { ctrlKey: true, altKey: true };
    const altGr = (key: string, code: string) =>
      press(key, code, { ...WITH_ALT_GR, getModifierState: (name: string) => name === 'AltGraph' });
    const signs = [altGr('@', 'KeyQ'), altGr('ś', 'KeyS'), altGr('“', 'KeyB')];
    expect(signs.map((sign) => nameOfPress(sign, false))).toEqual(['@', 'ś', '“']);
  });

  test('Belong to the browser with Shift if they write nothing, except for a page up', () => {
    const shifted = ['ArrowDown', 'End', 'Delete', 'Escape'].map((key) =>
      press(key, key, { shiftKey: true }),
    );
    expect(shifted.map(findShortcut)).toEqual(shifted.map(() => undefined));
    expect(findShortcut(press(' ', 'Space', { shiftKey: true }))).toBe('page-up');
  });

  test('Leave Ctrl and Option to the system on a Mac, and use Cmd for commands', () => {
    expect(nameOfPress(press('k', 'KeyK', { ctrlKey: true }), true)).toBe('System+');
    expect(nameOfPress(press('π', 'KeyP', { altKey: true }), true)).toBe('System+');
    expect(nameOfPress(press('k', 'KeyK', { metaKey: true }), true)).toBe('Ctrl+k');
    expect(nameOfPress(press('[', 'BracketLeft', { metaKey: true }), true)).toBe('System+');
    expect(nameOfPress(press('[', 'BracketLeft', { ctrlKey: true }), true)).toBe('Ctrl+[');
    expect(nameOfPress(press('k', 'KeyK', { metaKey: true }), false)).toBe('System+');
    expect(nameOfPress(press('k', 'KeyK', { ctrlKey: true }), false)).toBe('Ctrl+k');
  });
});
