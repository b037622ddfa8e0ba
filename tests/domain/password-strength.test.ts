import { describe, expect, test } from 'vitest';
import { isSoonGuessed } from '#shared/domain/settings/password-strength.ts';

const about = ['Ada Lovelace', 'countess@example.com'];

describe('A password is weak', () => {
  test.each([
    '',
    'x7#Qz',
    'zzzzzzzzzz',
    '🔑🔑🔑🔑🔑🔑🔑🔑',
    'xyxyxyxyxyxy',
    'password',
    'mustang',
    '1qaz2wsx',
    'tinkerbell',
    'PASSWORD99',
    'p@$$w0rd',
    'letmein1',
    'abcdefgh',
    'hgfedcba',
    '0987654321',
    'asdfghjkl',
    'qwertzui',
    'adalovelace',
    'Lovelace12',
    'countess!',
    'COUNTESS',
    'ecalevol',
    'l0v3lac3',
    'countess@example.com',
  ])('As %j', (password) => {
    expect(isSoonGuessed(password, about)).toBe(true);
  });

  test('If it is a name followed by a digit', () => {
    expect(isSoonGuessed('lovelacetown7', ['Lov', 'Lovelacetown'])).toBe(true);
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
    expect(isSoonGuessed(password, about)).toBe(false);
  });

  test('Even if it contains other people’s data', () => {
    expect(isSoonGuessed('lovelacetown', [])).toBe(false);
  });
});
