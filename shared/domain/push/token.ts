import { BadRequest } from '#shared/domain/errors.ts';

/** The push services of Apple and Google. */
export const tokenKinds = ['apns', 'fcm'] as const;
export type TokenKind = (typeof tokenKinds)[number];

/** The maximum number of tokens of the older kind per user. */
export const MAX_TOKENS = 100;
const MAX_TOKEN_LENGTH = 4096;
const BASE64 = /^(?:[\d+/a-z]{4})*(?:[\d+/a-z]{2}==|[\d+/a-z]{3}=)?$/i;

export const isBase64 = (text: string): boolean => BASE64.test(text);

/** @throws BadRequest for a malformed token of that service */
export function checkToken(kind: TokenKind, token: string): void {
  if (token === '' || [...token].length > MAX_TOKEN_LENGTH)
    throw new BadRequest('Empty or invalid length token');
  if (kind === 'apns' && !isApnsToken(token)) throw new BadRequest('Invalid APNS token');
}

const HEX = /^[\da-f]+$/i;

/** Devices give hex or base64. Characters that are foreign to base64 are skipped, as upstream does. */
function isApnsToken(token: string): boolean {
  if (HEX.test(token)) return true;
  const [data = '', ...padding] = token.replace(/[^\d+/=a-z]/gi, '').replace(/^=+/, '').split('=');
  const missing = (4 - (data.length % 4)) % 4;
  return missing < 3 && padding.length >= missing;
}
