import { expect, test } from 'vitest';
import {
  findShortcut,
  findWritingKey,
  labelOfKey,
  nameOfPress,
  SHORTCUTS,
  WRITING_KEYS,
} from '#web/state/shortcuts.ts';

const press = (key: string, fields = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...fields,
});

test('every key of the reference’s list does something, and none does two things', () => {
  const keys = SHORTCUTS.flatMap(({ list }) => list.flatMap((one): readonly string[] => one.keys));
  expect(keys).toHaveLength(new Set(keys).size);
  const reference =
    'r Enter c x Escape d ? g / q w ArrowDown j ArrowUp k PageDown J PageUp K End G Home n N p s y P z A D I t a * i e ArrowLeft u U V v m H : = + - M > < R @';
  expect(reference.split(' ').filter((key) => !keys.includes(key))).toEqual([]);
  expect(findShortcut(press(' '))).toBe('page-down');
});

test('Ctrl and Cmd do the same, and Shift counts whatever case the browser gives the letter', () => {
  expect(findShortcut(press('k', { metaKey: true }))).toBe('switch');
  expect(findShortcut(press('K', { ctrlKey: true }))).toBe('switch');
  expect(findWritingKey(press('l', { metaKey: true, shiftKey: true }))).toBe('link');
  expect(findWritingKey(press('b', { ctrlKey: true }))).toBe('bold');
  expect(nameOfPress(press('J', { shiftKey: true }))).toBe('J');
});

test('a single key with Alt or Ctrl is left to the browser', () => {
  expect(findShortcut(press('j', { ctrlKey: true }))).toBeUndefined();
  expect(findShortcut(press('d', { altKey: true }))).toBeUndefined();
});

test('keys are written as people read them', () => {
  const labels = ['Ctrl+k', 'Ctrl+L', 'Alt+p', ' ', 'ArrowDown', 'J'].map(labelOfKey);
  expect(labels).toEqual(['Ctrl K', 'Ctrl Shift L', 'Alt P', 'Space', '↓', 'J']);
  expect(WRITING_KEYS.map(({ keys: [key] }) => labelOfKey(key))).toContain('Ctrl Enter');
});
