import { expect, test } from 'vitest';
import { BackupFailure } from '#infra/backup/archive/format.ts';
import { openSecret, sealSecret } from '#infra/backup/archive/seal.ts';

const PASSPHRASE = 'long enough to keep';

test('a sealed secret is opened by its passphrase alone, and each guess of that costs 128 MiB', () => {
  const sealed = sealSecret('the secret', PASSPHRASE);
  expect(sealed).toMatchObject({ kdf: 'scrypt', cost: 2 ** 17 });
  expect(openSecret(sealed, PASSPHRASE)).toBe('the secret');
  expect(() => openSecret(sealed, `${PASSPHRASE}!`)).toThrow(BackupFailure);
});

test('an archive that names a larger cost is refused, and not worked on until the memory is full', () => {
  const sealed = sealSecret('the secret', PASSPHRASE, 2 ** 10);
  expect(() => openSecret({ ...sealed, cost: 2 ** 40 }, PASSPHRASE)).toThrow(BackupFailure);
});
