import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  divideName,
  type FileLink,
  joinFiles,
  linkOf,
  messageWith,
  nameFiles,
  splitFiles,
} from '#web/state/attachments.ts';

const plan: FileLink = { name: 'plan.pdf', url: '/user_uploads/2/1-1/a/plan.pdf', isPicture: false };
const photo: FileLink = { name: 'photo.png', url: '/user_uploads/2/1-2/b/photo.png', isPicture: true };
const LINKS = `[plan.pdf](${plan.url})\n![photo.png](${photo.url})`;

describe('Files of a draft', () => {
  test('Files follow the text after an empty line, each on its own line', () => {
    expect(joinFiles('Two files', [plan, photo])).toBe(`Two files\n\n${LINKS}`);
    expect(joinFiles('', [plan, photo])).toBe(LINKS);
    expect(joinFiles('No file', [])).toBe('No file');
  });

  test('Text and files are separated again as they were', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', '\n', ' ', '[', '](/user_uploads/2/x)', '`') });
    const files = fc.subarray([plan, photo]);
    fc.assert(
      fc.property(texts, files, (text, some) => {
        fc.pre(splitFiles(text).files.length === 0);
        // An empty text has no end of its own before files.
        fc.pre(text.trim() !== '' || some.length === 0);
        expect(splitFiles(joinFiles(text, some))).toEqual({ text, files: some });
      }),
    );
  });

  test('Lines of other clients are files if nothing but links to uploads follows', () => {
    expect(splitFiles(`Look:\n${LINKS}\n`)).toEqual({ text: 'Look:', files: [plan, photo] });
    const within = `${LINKS}\nThat is all`;
    expect(splitFiles(within)).toEqual({ text: within, files: [] });
    const elsewhere = 'See\n[plan](https://example.com/user_uploads/2/x)';
    expect(splitFiles(elsewhere)).toEqual({ text: elsewhere, files: [] });
  });

  test('Only known links are separated if the caller names them', () => {
    const content = joinFiles('Text', [plan, photo]);
    const { text, files } = splitFiles(content, (link) => link.includes('photo'));
    expect(files).toEqual([photo]);
    expect(text).toBe(`Text\n\n[plan.pdf](${plan.url})`);
  });

  test.each([
    'a[1]\\.pdf',
    '[a](b)*.png',
    '__init__ `x` ~~y~~.py',
    '@**all** :tada: $$.txt',
    'Makefile',
    'ליגל.pdf',
  ])('The link of the file “%s” keeps its name', (name) => {
    expect(linkOf({ ...plan, name })).toMatch(/^\[[^\]*_`~$:@]+\]\([^()]+\)$/);
    expect(splitFiles(joinFiles('', [{ ...plan, name }])).files).toEqual([{ ...plan, name }]);
  });

  test('The name of a file does not turn its extension', () => {
    expect(linkOf({ ...plan, name: 'photo\u202egpj.exe' })).toBe(`[photogpj.exe](${plan.url})`);
  });
});

test.each([
  ['```js\nlet a;', '```js\nlet a;\n```'],
  ['~~~~\n```\nopen', '~~~~\n```\nopen\n~~~~'],
  ['````quote\n```js\nlet a;', '````quote\n```js\nlet a;\n```\n````'],
  ['```quote\n```js\nlet a;\n```\n```', '```quote\n```js\nlet a;\n```\n```'],
  ['```\n```js\n```', '```\n```js\n```'],
])('The message of a draft with files ends the open blocks of %j before the files', (text, closed) => {
  expect(messageWith(text, [plan])).toBe(`${closed}\n\n[plan.pdf](${plan.url})`);
  expect(messageWith(text, [])).toBe(text);
});

test('A long file name is divided before its last characters', () => {
  expect(divideName('plan.pdf')).toEqual(['plan.pdf', '']);
  expect(divideName('kiln-firing-june-2.jpg')).toEqual(['kiln-firing-jun', 'e-2.jpg']);
});

test('A message that is not sent yet shows its files by their names', () => {
  const plan = { name: 'plan.pdf', url: '/user_uploads/2/a/plan.pdf', isPicture: false };
  expect(nameFiles(joinFiles('The plan', [plan]))).toBe('The plan\n📎 plan.pdf');
  expect(nameFiles(joinFiles('', [plan]))).toBe('📎 plan.pdf');
  expect(nameFiles('No files')).toBe('No files');
});
