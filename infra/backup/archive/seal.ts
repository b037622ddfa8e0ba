import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { BackupFailure, type SealedSecret } from './format.ts';

/** The cost of one guess of the passphrase. */
export const SEAL_COST = 2 ** 17;
const TAG_BYTES = 16;

const keyOf = (passphrase: string, salt: Buffer, cost: number): Buffer =>
  scryptSync(passphrase.normalize('NFKC'), salt, 32, {
    N: cost,
    r: 8,
    p: 1,
    maxmem: Number.MAX_SAFE_INTEGER,
  });

/** The secret, so that only the passphrase opens it. Equal secrets give different texts. */
export function sealSecret(secret: string, passphrase: string, cost = SEAL_COST): SealedSecret {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', keyOf(passphrase, salt, cost), nonce);
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return {
    kdf: 'scrypt',
    salt: salt.toString('base64'),
    cost,
    nonce: nonce.toString('base64'),
    sealed: sealed.toString('base64'),
  };
}

/** @throws BackupFailure for another passphrase */
export function openSecret({ salt, cost, nonce, sealed }: SealedSecret, passphrase: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  const key = keyOf(passphrase, Buffer.from(salt, 'base64'), Math.min(cost, SEAL_COST));
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64'));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    throw new BackupFailure('BACKUP_PASSPHRASE is not the passphrase of this archive.');
  }
}
