import { hash } from 'node:crypto';

/** The beginning of every token, by which scanners find leaked ones. API keys have no underscore. */
export const TOKEN_PREFIX = 'tct_';

/** The beginning of what renews the token of a program. */
export const REFRESH_PREFIX = 'tcr_';

const TOKEN_TEXT = /^(tct_|tcr_)(\d{1,10})_(\d{1,10})_([A-Za-z0-9_-]{43})$/;

/** A token's text: whose it is, which one, and the secret. */
export const tokenText = (userId: number, tokenId: number, secret: string, prefix = TOKEN_PREFIX): string =>
  `${prefix}${userId}_${tokenId}_${secret}`;

/** The parts of a token's text; undefined for another text. */
export function parseTokenText(
  text: string,
  prefix = TOKEN_PREFIX,
): { userId: number; tokenId: number; digest: string } | undefined {
  const [, kind, userId, tokenId, secret] = TOKEN_TEXT.exec(text) ?? [];
  if (secret === undefined || kind !== prefix) return undefined;
  return { userId: Number(userId), tokenId: Number(tokenId), digest: digestOfSecret(secret) };
}

/** A secret is 256 random bits, so SHA-256 is slow enough. */
export const digestOfSecret = (secret: string): string => hash('sha256', secret, 'base64url');
