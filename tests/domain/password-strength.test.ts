import { describe, expect, test } from 'vitest';
import { isWeakPassword } from '#shared/domain/settings/password-strength.ts';

const about = ['Ada Lovelace', 'countess@example.com'];

describe('A password is weak', () => {
  test.each([
    '',
    'x7#Qz',
    'zzzzzzzzzz',
    '🔑🔑🔑🔑🔑🔑🔑🔑',
    'xyxyxyxyxyxy',
    'password',
    'PASSWORD99',
    'p@$$w0rd',
    'letmein1',
    'abcdefgh',
    'hgfedcba',
    '0987654321',
    'asdfghjkl',
    'qwertz123',
    'adalovelace',
    'Lovelace12',
    'countess!',
    'COUNTESS',
  ])('As %j', (password) => {
    expect(isWeakPassword(password, about)).toBe(true);
  });

  test('By counting the longest name at a place as one guess of few', () => {
    expect(isWeakPassword('lovelacetown7', ['Lov', 'Lovelacetown'])).toBe(true);
  });

  test('By counting a keyboard row as one guess of few, also if it begins with a name', () => {
    expect(isWeakPassword('abcdefgqwerty98765', ['Abc'])).toBe(true);
  });
});

describe('A password is strong enough', () => {
  test.each([
    'x7#Qz!',
    'correct horse battery',
    'zvbnxtr',
    'ada is not a lovelace',
    'Übermorgen☃',
    'passwords are long',
    'k'.concat('9#vL2$'.repeat(16)),
  ])('As %j', (password) => {
    expect(isWeakPassword(password, about)).toBe(false);
  });

  test('Even if it contains other people’s data', () => {
    expect(isWeakPassword('lovelacetown', [])).toBe(false);
  });
});
