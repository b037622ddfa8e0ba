import { hash } from 'node:crypto';

/** The beginning of every token, by which scanners find leaked ones. API keys have no underscore. */
export const TOKEN_PREFIX = 'tct_';

const TOKEN_TEXT = /^tct_(\d{1,10})_(\d{1,10})_([A-Za-z0-9_-]{43})$/;

/** A token's text: whose it is, which one, and the secret. */
export const tokenText = (userId: number, tokenId: number, secret: string): string =>
  `${TOKEN_PREFIX}${userId}_${tokenId}_${secret}`;

/** The parts of a token's text; undefined for another text. */
export function parseTokenText(
  text: string,
): { userId: number; tokenId: number; digest: string } | undefined {
  const [, userId, tokenId, secret] = TOKEN_TEXT.exec(text) ?? [];
  if (secret === undefined) return undefined;
  return { userId: Number(userId), tokenId: Number(tokenId), digest: digestOfSecret(secret) };
}

/** A secret is 256 random bits, so SHA-256 is slow enough. */
export const digestOfSecret = (secret: string): string => hash('sha256', secret, 'base64url');
