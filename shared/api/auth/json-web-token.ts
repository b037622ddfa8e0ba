import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { BadRequest } from '#shared/domain/errors.ts';
import { isSameSecret } from './api-key.ts';

const header = z.object({ alg: z.literal('HS256'), crit: z.optional(z.never()) });
const claims = z.object({
  email: z.optional(z.nullable(z.string())),
  exp: z.optional(z.number()),
  nbf: z.optional(z.number()),
});

/**
 * The claim `email` of a JSON web token that is signed by HMAC-SHA-256 under the key, and valid now.
 * @throws BadRequest for all other tokens
 */
export function emailOfToken(token: string, key: string, nowSeconds: number): string {
  const { email, exp, nbf } = readClaims(token, key);
  if ((exp !== undefined && exp <= nowSeconds) || (nbf !== undefined && nbf > nowSeconds))
    throw new BadRequest('Bad JSON web token');
  if (email === undefined || email === null)
    throw new BadRequest('No email specified in JSON web token claims');
  return email;
}

function readClaims(token: string, key: string): z.output<typeof claims> {
  const [head = '', body = '', signature = '', ...rest] = token.split('.');
  const own = createHmac('sha256', key).update(`${head}.${body}`).digest('base64url');
  if (rest.length > 0 || !isSameSecret(signature, own)) throw new BadRequest('Bad JSON web token');
  try {
    header.parse(decode(head));
    return claims.parse(decode(body));
  } catch {
    throw new BadRequest('Bad JSON web token');
  }
}

const decode = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
