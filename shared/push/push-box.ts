import { hkdfSync, randomBytes } from 'node:crypto';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';

const NONCE_BYTES = 24;
const KEY_BYTES = 32;

/** Encrypts like libsodium's secretbox, with the nonce in front. */
export function closeBox(key: Uint8Array, content: Uint8Array): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  return Uint8Array.from([...nonce, ...xsalsa20poly1305(key, nonce).encrypt(content)]);
}

/** Decrypts a box; undefined for another key or malformed data. */
export function openBox(key: Uint8Array, box: Uint8Array): Uint8Array | undefined {
  try {
    return xsalsa20poly1305(key, box.subarray(0, NONCE_BYTES)).decrypt(box.subarray(NONCE_BYTES));
  } catch {
    return undefined;
  }
}

/** The key that encrypts device keys, so that the table never has them in the clear. */
export const sealingKey = (secret: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'push keys', KEY_BYTES));
