import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { PasswordCost } from '#shared/runtime/config.ts';

const KEY_BYTES = 32;
const SALT_BYTES = 16;

/** Of one length for every password: scrypt alone takes a short one and the same with zero bytes added for equal. */
const digest = (password: string): Buffer => createHash('sha256').update(password.normalize('NFKC')).digest();

const derive = (password: string, salt: Buffer, { N, r, p }: PasswordCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(digest(password), salt, KEY_BYTES, { N, r, p, maxmem: 256 * N * r }, (failure, key) =>
      failure ? reject(failure) : resolve(key),
    );
  });

/** A salted scrypt hash together with the parameters that made it. */
export async function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), key.toString('base64')].join('$');
}

/** Takes about as long for an account without a password as for a wrong one, which is what the cost is for. */
export async function verifyPassword(
  password: string,
  hash: string | undefined,
  costOfNone: PasswordCost,
): Promise<boolean> {
  const [, N, r, p, salt = '', expected = ''] = hash?.split('$') ?? [];
  if (expected === '') {
    await derive(password, Buffer.alloc(SALT_BYTES), costOfNone);
    return false;
  }
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  return timingSafeEqual(
    await derive(password, Buffer.from(salt, 'base64'), cost),
    Buffer.from(expected, 'base64'),
  );
}
