import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findLiterals } from './literals.ts';

const scripts = globSync('web/{net,parts,state,views}/**/*.{ts,tsx}').filter((file) => !file.includes('.d.'));

test('Every text that the client shows is in the catalogue', () => {
  expect(scripts.length).toBeGreaterThan(200);
  const found = scripts.flatMap((file) =>
    findLiterals(readFileSync(file, 'utf8'), file.endsWith('x')).map((literal) => `${file}:${literal}`),
  );
  expect(found).toEqual([]);
});

test.each([
  '<p>Nothing here</p>',
  '<p>{count} unread</p>',
  "<p>{isNew ? 'New' : name}</p>",
  '<p>{`unread messages: $' + '{count}`}</p>',
  '<button title="Close" />',
  '<img alt="Ada" />',
  '<input placeholder="Search messages" aria-label={t("a.b")} />',
  "<input aria-label={isOpen ? 'Close' : t('a.b')} />",
  '<List empty="Nothing here" />',
  "showNotice('It is sent.')",
  'showNotice(`Not sent: $' + '{reason}`)',
  "openMenu(anchor, 'Message', [])",
  "({ label: 'Delete', run })",
  "[['inbox', 'Inbox']]",
  "save('Your picture')",
])('Finds the text in %s', (script) => {
  expect(findLiterals(`const it = ${script};`, true)).toHaveLength(1);
});

test.each([
  '<p class="quiet" dir="auto">{t(\'a.b\', { count })}</p>',
  '<p>{count} · {other}</p>',
  '<input type="search" name="query" placeholder="https://example.com/" />',
  '<Icon name="check" />',
  "({ type: 'stream', kind: 'private' })",
  "call('POST', '/messages')",
  "['ArrowDown', 'Enter']",
  "new Error('Nothing is registered yet.')",
])('Finds no text in %s', (script) => {
  expect(findLiterals(`const it = ${script};`, true)).toEqual([]);
});
