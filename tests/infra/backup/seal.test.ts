import { expect, test } from 'vitest';
import { BackupFailure } from '#infra/backup/archive/format.ts';
import { openSecret, sealSecret } from '#infra/backup/archive/seal.ts';

const PASSPHRASE = 'long enough to keep';

test('A sealed secret is opened by its passphrase alone, and each guess of that costs 128 MiB', () => {
  const sealed = sealSecret('the secret', PASSPHRASE);
  expect(sealed).toMatchObject({ kdf: 'scrypt', cost: 2 ** 17 });
  expect(openSecret(sealed, PASSPHRASE)).toBe('the secret');
  expect(() => openSecret(sealed, `${PASSPHRASE}!`)).toThrow(BackupFailure);
});

test('An archive that names a larger cost is refused, and not worked on until the memory is full', () => {
  const sealed = sealSecret('the secret', PASSPHRASE, 2 ** 10);
  expect(() => openSecret({ ...sealed, cost: 2 ** 40 }, PASSPHRASE)).toThrow(BackupFailure);
});

test('A secret that an earlier version sealed is opened', () => {
  const sealed = {
    kdf: 'scrypt' as const,
    salt: 'XoKVuI7g3sEIlj3K6YFn3g==',
    cost: 1024,
    nonce: 'MXUjZ2WGXGD+548f',
    sealed: 'QwRpHuezX3Z0OwdoS1u8R+TjTRl1vQEOXdw=',
  };
  expect(openSecret(sealed, PASSPHRASE)).toBe('the secret');
});

test('Each seal has a salt of 16 bytes, and a nonce of the 12 bytes that GCM is made for, of its own', () => {
  const [one, other] = [1, 2].map(() => sealSecret('the secret', PASSPHRASE, 2 ** 10));
  for (const part of ['salt', 'nonce'] as const) expect(one?.[part]).not.toBe(other?.[part]);
  expect(Buffer.from(one?.nonce ?? '', 'base64')).toHaveLength(12);
  expect(Buffer.from(one?.salt ?? '', 'base64')).toHaveLength(16);
});
