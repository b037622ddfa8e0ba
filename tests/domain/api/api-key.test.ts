import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deriveApiKey, isApiKeyShaped, isSameSecret } from '#shared/api/auth/api-key.ts';
import { always } from '#tests/harness/property.ts';

const account = fc.tuple(
  fc.string(),
  fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  fc.integer({ min: 1, max: 1_000_000 }),
);

describe('Derived API keys', () => {
  test('Have 32 letters and digits', () => {
    always(
      fc.property(account, ([secret, user, keyVersion]) => {
        const key = deriveApiKey(secret, user, keyVersion);
        expect(key).toMatch(/^[A-Za-z0-9]{32}$/);
        expect(isApiKeyShaped(key)).toBe(true);
      }),
    );
  });

  test('Remain the same for the same secret, user and version', () => {
    always(
      fc.property(account, ([secret, user, keyVersion]) => {
        expect(deriveApiKey(secret, user, keyVersion)).toBe(deriveApiKey(secret, user, keyVersion));
      }),
    );
  });

  test('Differ when secret, user or version differs', () => {
    const keys = new Set<string>();
    for (const secret of ['one', 'two', ''])
      for (let user = 1; user <= 20; user++)
        for (let keyVersion = 1; keyVersion <= 20; keyVersion++)
          keys.add(deriveApiKey(secret, user, keyVersion));
    expect(keys.size).toBe(3 * 20 * 20);
  });

  test('Differ for a user and version whose digits run together', () => {
    expect(deriveApiKey('s', 1, 23)).not.toBe(deriveApiKey('s', 12, 3));
  });
});

describe('Comparing secrets', () => {
  test('Returns true for equal texts and for no others, of any length', () => {
    always(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        const [first, second] = [a.toWellFormed(), b.toWellFormed()];
        expect(isSameSecret(first, second)).toBe(first === second);
        expect(isSameSecret(first, first)).toBe(true);
        expect(isSameSecret(first, `${first}\0`)).toBe(false);
      }),
    );
  });
});

test('Only 32 ASCII letters and digits can be a key', () => {
  for (const text of [
    '',
    'a'.repeat(31),
    'a'.repeat(33),
    `${'a'.repeat(31)}é`,
    `${'a'.repeat(32)}\n`,
    `${'a'.repeat(31)} `,
  ])
    expect(isApiKeyShaped(text), text).toBe(false);
});
