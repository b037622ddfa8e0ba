import { createHmac, hash, timingSafeEqual } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 32;
/** Bytes at or above this value would favour some characters. */
const UNBIASED_BELOW = 256 - (256 % ALPHABET.length);

/**
 * The API key of an account: 32 letters and digits derived from user id and key version with the service's
 * secret. It is not stored; raising the key version invalidates the old key.
 */
export const deriveApiKey = (secret: string, userId: number, keyVersion: number): string =>
  deriveKey(secret, `api-key:${userId}:${keyVersion}`);

/** 32 letters and digits that cannot be guessed without the secret, always the same for one purpose. */
export function deriveKey(secret: string, purpose: string): string {
  let key = '';
  for (let round = 0; key.length < LENGTH; round++) {
    const bytes = createHmac('sha256', secret).update(`${purpose}:${round}`).digest();
    for (const byte of bytes) if (byte < UNBIASED_BELOW) key += ALPHABET[byte % ALPHABET.length];
  }
  return key.slice(0, LENGTH);
}

/**
 * The stored digest of an API key, so that checking a key needs no secret. Keys are as long as their digest,
 * so SHA-256 is slow enough. Each key version has a different digest.
 */
export const digestOfKey = (apiKey: string, keyVersion: number): string =>
  `${keyVersion}:${hash('sha256', apiKey, 'base64url')}`;

/** Whether a digest belongs to a key of this version. */
export const isOfVersion = (digest: string, keyVersion: number): boolean =>
  digest.startsWith(`${keyVersion}:`);

/** Whether a text has the form of an API key. */
export const isApiKeyShaped = (text: string): boolean => /^[A-Za-z0-9]{32}$/.test(text);

/** Compares in constant time. */
export function isSameSecret(input: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', input, 'buffer'), hash('sha256', expected, 'buffer'));
}
