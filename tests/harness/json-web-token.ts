import { createHmac } from 'node:crypto';

/** The key by which samples and simulated people sign JSON web tokens. */
export const JWT_KEY = 'the key of a page that signs people in';

/** A JSON web token with these claims. */
export function signToken(claims: unknown, { key = JWT_KEY, alg = 'HS256' } = {}): string {
  const signed = `${encode({ alg, typ: 'JWT' })}.${encode(claims)}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');
