import { expect, test } from 'vitest';
import { BackupFailure } from '#infra/backup/archive/format.ts';
import { openSecret, sealSecret } from '#infra/backup/archive/seal.ts';

const PASSPHRASE = 'long enough to keep';

test('A sealed secret opens only with its passphrase, and each guess costs 128 MiB', () => {
  const sealed = sealSecret('the secret', PASSPHRASE);
  expect(sealed).toMatchObject({ kdf: 'scrypt', cost: 2 ** 17 });
  expect(openSecret(sealed, PASSPHRASE)).toBe('the secret');
  expect(() => openSecret(sealed, `${PASSPHRASE}!`)).toThrow(BackupFailure);
});

test('An archive with a larger cost is refused before it fills the memory', () => {
  const sealed = sealSecret('the secret', PASSPHRASE, 2 ** 10);
  expect(() => openSecret({ ...sealed, cost: 2 ** 40 }, PASSPHRASE)).toThrow(BackupFailure);
});

test('A secret that an earlier version sealed can be opened', () => {
  const sealed = {
    kdf: 'scrypt' as const,
    salt: 'XoKVuI7g3sEIlj3K6YFn3g==',
    cost: 1024,
    nonce: 'MXUjZ2WGXGD+548f',
    sealed: 'QwRpHuezX3Z0OwdoS1u8R+TjTRl1vQEOXdw=',
  };
  expect(openSecret(sealed, PASSPHRASE)).toBe('the secret');
});

test('Each seal has a salt of 16 bytes, and a nonce of the 12 bytes that GCM requires, of its own', () => {
  const [one, other] = [1, 2].map(() => sealSecret('the secret', PASSPHRASE, 2 ** 10));
  for (const part of ['salt', 'nonce'] as const) expect(one?.[part]).not.toBe(other?.[part]);
  expect(Buffer.from(one?.nonce ?? '', 'base64')).toHaveLength(12);
  expect(Buffer.from(one?.salt ?? '', 'base64')).toHaveLength(16);
});
