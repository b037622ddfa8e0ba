import { expect, test } from 'vitest';
import {
  findShortcut,
  findWritingKey,
  labelOfKey,
  nameOfPress,
  SHORTCUTS,
  type Shortcut,
  WRITING_KEYS,
} from '#web/state/shortcuts.ts';

const press = (key: string, fields = {}) => ({
  ...{ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...fields },
});

test('Every key of the reference’s list does something, and none does two things', () => {
  const keys = SHORTCUTS.flatMap(({ list }) => list.flatMap((shortcut): readonly string[] => shortcut.keys));
  expect(keys).toHaveLength(new Set(keys).size);
  const reference =
    'r Enter c x Escape d ? g / q w ArrowDown j ArrowUp k PageDown J PageUp K End G Home n N p s y P z A D I t a * i e ArrowLeft u U V v m H : = + - M > < R @ Ctrl+k Ctrl+[ Ctrl+s Delete';
  expect(reference.split(' ').filter((key) => !keys.includes(key))).toEqual([]);
  expect(findShortcut(press(' '))).toBe('page-down');
});

test('Beside Ctrl, Shift counts whatever case the browser gives the letter', () => {
  expect(findShortcut(press('K', { ctrlKey: true }))).toBe('switch');
  expect(findWritingKey(press('l', { ctrlKey: true, shiftKey: true }))).toBe('link');
  expect(findWritingKey(press('b', { ctrlKey: true }))).toBe('bold');
  expect(nameOfPress(press('J', { shiftKey: true }))).toBe('J');
});

test('A single key with Alt or Ctrl is left to the browser', () => {
  expect(findShortcut(press('j', { ctrlKey: true }))).toBeUndefined();
  expect(findShortcut(press('d', { altKey: true }))).toBeUndefined();
});

test('Keys are written as people read them', () => {
  const labels = ['Ctrl+k', 'Ctrl+L', 'Alt+p', ' ', 'J'].map((key) => labelOfKey(key, false));
  expect(labels).toEqual(['Ctrl K', 'Ctrl Shift L', 'Alt P', 'Space', 'J']);
  const named = ['ArrowDown', 'ArrowUp', 'ArrowLeft', 'PageDown', 'PageUp', 'Escape'];
  expect(named.map((key) => labelOfKey(key, false))).toEqual(['↓', '↑', '←', 'PgDn', 'PgUp', 'Esc']);
  expect(WRITING_KEYS.map(({ keys: [key] }) => labelOfKey(key, false))).toContain('Ctrl Enter');
});

test('A Mac shows the signs of its modifiers', () => {
  const labels = ['Ctrl+k', 'Ctrl+L', 'Ctrl+[', 'Shift+Enter'].map((key) => labelOfKey(key, true));
  expect(labels).toEqual(['⌘ K', '⌘ ⇧ L', '⌃ [', '⇧ Enter']);
});

test('Each listed key has a description and does that', () => {
  const pressOf = (name: string) => {
    const [, modifier, key = ''] = /^(Ctrl\+|Alt\+|Shift\+)?(.+)$/s.exec(name) ?? [];
    const isShifted = modifier === 'Shift+' || (modifier === 'Ctrl+' && /^[A-Z]$/.test(key));
    const modifiers = { ctrlKey: modifier === 'Ctrl+', altKey: modifier === 'Alt+', shiftKey: isShifted };
    return press(key === 'Space' ? ' ' : key, modifiers);
  };
  for (const { id, keys, says } of SHORTCUTS.flatMap(({ list }): readonly Shortcut[] => list)) {
    expect(says).toMatch(/\w/);
    expect(keys.map((key) => findShortcut(pressOf(key)))).toEqual(keys.map(() => id));
    expect(id).toMatch(/\w/);
  }
  expect(WRITING_KEYS.map(({ id, keys: [key] }) => [id, key, findWritingKey(pressOf(key))])).toEqual(
    [
      ['send', 'Ctrl+Enter'],
      ['bold', 'Ctrl+b'],
      ['italic', 'Ctrl+i'],
      ['link', 'Ctrl+L'],
      ['code', 'Ctrl+C'],
      ['snippets', "Ctrl+'"],
      ['preview', 'Alt+p'],
      ['leave-box', 'Escape'],
    ].map(([id, key]) => [id, key, id]),
  );
  for (const { says } of WRITING_KEYS) expect(says).toMatch(/\w/);
});
