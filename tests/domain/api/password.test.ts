import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hashPassword, isOutdated, verifyPassword } from '#shared/api/auth/password.ts';
import { RateLimitHit } from '#shared/domain/errors.ts';
import { defaultConfig, recommendedPasswordCost } from '#shared/runtime/config.ts';
import { QUICK_PASSWORDS } from '#tests/harness/quick-passwords.ts';

const hash = (password: string) => hashPassword(password, QUICK_PASSWORDS);
const verify = (password: string, hashed: string | undefined) =>
  verifyPassword(password, hashed, QUICK_PASSWORDS);

const password = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 });

/** As earlier releases made them; these of `correct horse ☃` and of the empty text. */
const SCRYPT = {
  horse: 'scrypt$32768$8$1$ABEiM0RVZneImaq7zN3u/w==$zfAsRrLR6mH3RQqDcWE5oVSsnGYz44fJJtK6xHE0270=',
  cheap: 'scrypt$256$8$2$ABEiM0RVZneImaq7zN3u/w==$rBPZ/T+u/+XunlqelcIorWMDzsVXlpNRWDd3SDp2vYU=',
};

describe('A hashed password', () => {
  test('Verifies with its password', async () => {
    await fc.assert(fc.asyncProperty(password, async (given) => verify(given, await hash(given))));
  });

  test('Verifies with no other password', async () => {
    await fc.assert(
      fc.asyncProperty(password, password, async (given, other) => {
        fc.pre(given.normalize('NFKC') !== other.normalize('NFKC'));
        expect(await verify(other, await hash(given))).toBe(false);
      }),
    );
  });

  test('Verifies with no similar one: a character more or less, another letter case, zero bytes at the end', async () => {
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

  test('Verifies with any composition of the same letters', async () => {
    expect(await verify('zoe\u0308 ﬁsh', await hash('zo\u00eb fish'))).toBe(true);
  });

  test('Has a salt: the same password never hashes to the same text', async () => {
    const hashes = await Promise.all([hash('same'), hash('same'), hash('same')]);
    expect(new Set(hashes).size).toBe(3);
  });

  test('Contains its parameters, and not the password', async () => {
    const hashed = await hashPassword('correct-horse', defaultConfig.passwordCost);
    expect(hashed).not.toContain('correct-horse');
    expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  });

  test('Verifies by the parameters that it was made with', async () => {
    const hashed = await hash('same');
    expect(await verifyPassword('same', hashed, defaultConfig.passwordCost)).toBe(true);
    expect(await verify('same', hashed.replace('t=1', 't=2'))).toBe(false);
  });
});

test('An account without a password accepts none', async () => {
  for (const given of ['', 'x', 'undefined'])
    for (const hashed of [undefined, '', 'scrypt$32768$8$1$$', '$argon2id$v=19$m=64,t=1,p=1$$', 'plain$x$y'])
      expect(await verify(given, hashed)).toBe(false);
});

describe('A password hash of an earlier release', () => {
  test.each(Object.values(SCRYPT))('Accepts its password and no other: %s', async (hashed) => {
    expect(await verify('correct horse ☃', hashed)).toBe(true);
    for (const other of ['correct horse', 'correct horse ☃\0', ''])
      expect(await verify(other, hashed)).toBe(false);
  });

  test('Counts as outdated, and so does one of another cost', async () => {
    expect(isOutdated(SCRYPT.horse, QUICK_PASSWORDS)).toBe(true);
    expect(isOutdated(await hash('same'), defaultConfig.passwordCost)).toBe(true);
    expect(isOutdated(await hash('same'), QUICK_PASSWORDS)).toBe(false);
    expect(isOutdated(undefined, QUICK_PASSWORDS)).toBe(false);
  });
});

test('A platform without argon2id hashes by scrypt of the same strength, and verifies its hashes', async () => {
  expect(recommendedPasswordCost('3.0.8')).toEqual({ N: 32_768, r: 8, p: 3 });
  for (const openssl of ['3.2.2', '3.5.8', '4.0.0', '3.10.0+quic'])
    expect(recommendedPasswordCost(openssl)).toEqual({ memoryKib: 19_456, passes: 2, lanes: 1 });
  const hashed = await hashPassword('same', { N: 256, r: 8, p: 3 });
  expect(hashed).toMatch(/^scrypt\$256\$8\$3\$/);
  expect(await verify('same', hashed)).toBe(true);
  expect(isOutdated(hashed, { N: 256, r: 8, p: 3 })).toBe(false);
});

describe('Simultaneous password checks', () => {
  test('Wait up to a bounded number; others get 429, and the next one succeeds', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 300 }, () => hash('same')));
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(300 - 102);
    for (const one of refused) {
      const { reason } = one as PromiseRejectedResult;
      expect(reason).toBeInstanceOf(RateLimitHit);
      expect(reason.fields).toEqual({ 'retry-after': 5 });
    }
    expect(await verify('same', await hash('same'))).toBe(true);
  });
});
