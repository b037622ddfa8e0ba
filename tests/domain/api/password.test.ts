import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hashPassword, verifyPassword } from '#shared/api/password.ts';
import { defaultConfig } from '#shared/runtime/config.ts';
import { QUICK_PASSWORDS } from '#tests/harness/quick-passwords.ts';

const hash = (password: string) => hashPassword(password, QUICK_PASSWORDS);
const verify = (password: string, hashed: string | undefined) =>
  verifyPassword(password, hashed, QUICK_PASSWORDS);

const password = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 });

describe('a hashed password', () => {
  test('verifies with itself', async () => {
    await fc.assert(fc.asyncProperty(password, async (given) => verify(given, await hash(given))));
  });

  test('verifies with no other', async () => {
    await fc.assert(
      fc.asyncProperty(password, password, async (given, other) => {
        fc.pre(given.normalize('NFKC') !== other.normalize('NFKC'));
        expect(await verify(other, await hash(given))).toBe(false);
      }),
    );
  });

  test('verifies with no neighbour: a character more or less, another letter case, zero bytes at the end', async () => {
    const given = 'Correct horse battery';
    const hashed = await hash(given);
    const neighbours = [
      `${given}\0`,
      `${given}\0\0`,
      `${given} `,
      ` ${given}`,
      given.slice(1),
      given.toLowerCase(),
      '',
    ];
    for (const other of neighbours) expect(await verify(other, hashed), JSON.stringify(other)).toBe(false);
  });

  test('verifies however the same letters are composed', async () => {
    expect(await verify('zoe\u0308 ﬁsh', await hash('zo\u00eb fish'))).toBe(true);
  });

  test('is salted: the same password never hashes to the same text', async () => {
    const hashes = await Promise.all([hash('same'), hash('same'), hash('same')]);
    expect(new Set(hashes).size).toBe(3);
  });

  test('does not contain the password, and tells how it was made', async () => {
    const hashed = await hashPassword('correct-horse', defaultConfig.passwordCost);
    expect(hashed).not.toContain('correct-horse');
    expect(hashed).toMatch(/^scrypt\$32768\$8\$1\$[A-Za-z0-9+/=]{24}\$[A-Za-z0-9+/=]{44}$/);
  });

  test('verifies by the parameters that it was made with', async () => {
    const [, , r, p, salt, key] = (await hash('same')).split('$');
    expect(await verify('same', ['scrypt', 2 ** 9, r, p, salt, key].join('$'))).toBe(false);
  });
});

test('an account without a password is opened by none', async () => {
  for (const given of ['', 'x', 'undefined'])
    for (const hashed of [undefined, '', 'scrypt$32768$8$1$$'])
      expect(await verify(given, hashed)).toBe(false);
});
