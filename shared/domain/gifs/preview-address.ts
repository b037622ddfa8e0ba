import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The path at which this service shows a picture of the provider. Signed by the key at the
 * provider, so that nobody has this service fetch other addresses.
 */
export function previewPath(key: string, url: string): string {
  const text = Buffer.from(url).toString('base64url');
  return `/gif_previews/${text}.${signatureOf(key, text).toString('base64url')}`;
}

/** The provider's address in the last part of such a path; undefined for one that this service did not make. */
export function readPreview(key: string, preview: string): string | undefined {
  const [text = '', signature = ''] = preview.split('.');
  const expected = signatureOf(key, text);
  const input = Buffer.from(signature, 'base64url');
  if (input.length !== expected.length || !timingSafeEqual(input, expected)) return undefined;
  return Buffer.from(text, 'base64url').toString();
}

const signatureOf = (key: string, text: string): Buffer =>
  createHmac('sha256', key).update(`gif preview:${text}`).digest();
