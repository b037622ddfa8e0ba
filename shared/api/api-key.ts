import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 32;
/** Bytes at or above would make some characters likelier than others. */
const UNBIASED_BELOW = 256 - (256 % ALPHABET.length);

/**
 * The API key of an account: 32 letters and digits derived from user id and key version under the service's
 * secret. It is stored nowhere; raising the key version makes the old key worthless.
 */
export const deriveApiKey = (secret: string, userId: number, keyVersion: number): string =>
  deriveKey(secret, `api-key:${userId}:${keyVersion}`);

/** 32 letters and digits that nobody can guess who does not know the secret, always the same for a purpose. */
export function deriveKey(secret: string, purpose: string): string {
  let key = '';
  for (let round = 0; key.length < LENGTH; round++) {
    const bytes = createHmac('sha256', secret).update(`${purpose}:${round}`).digest();
    for (const byte of bytes) if (byte < UNBIASED_BELOW) key += ALPHABET[byte % ALPHABET.length];
  }
  return key.slice(0, LENGTH);
}

/**
 * By this an account knows its API key, so that who checks a key needs no secret. A key is as long as its digest, so
 * nothing slower than SHA-256 is called for. Another version has another digest, whatever the key.
 */
export const digestOfKey = (apiKey: string, keyVersion: number): string =>
  `${keyVersion}:${createHash('sha256').update(apiKey).digest('base64url')}`;

/** Whether a digest is that of a key of this version. */
export const isOfVersion = (digest: string, keyVersion: number): boolean =>
  digest.startsWith(`${keyVersion}:`);

/** Whether a text could be an API key at all. */
export const isApiKeyShaped = (text: string): boolean => /^[A-Za-z0-9]{32}$/.test(text);

/** Compares in a time that tells nothing about where the texts differ. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
