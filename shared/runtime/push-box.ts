import { hkdfSync, randomBytes } from 'node:crypto';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';

const NONCE_BYTES = 24;
const KEY_BYTES = 32;

/** Encrypts as libsodium's secretbox does; the nonce stands before the rest. */
export function closeBox(key: Uint8Array, content: Uint8Array): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  return Uint8Array.from([...nonce, ...xsalsa20poly1305(key, nonce).encrypt(content)]);
}

/** What is in the box; undefined when it was closed with another key, or is none. */
export function openBox(key: Uint8Array, box: Uint8Array): Uint8Array | undefined {
  try {
    return xsalsa20poly1305(key, box.subarray(0, NONCE_BYTES)).decrypt(box.subarray(NONCE_BYTES));
  } catch {
    return undefined;
  }
}

/** Under what keys of devices are kept, so that the table does not hold them in the clear. */
export const sealingKey = (secret: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'push keys', KEY_BYTES));
