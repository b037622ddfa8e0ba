import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

interface Cost {
  N: number;
  r: number;
  p: number;
}

const COST: Cost = { N: 2 ** 15, r: 8, p: 1 };
const KEY_BYTES = 32;
const SALT_BYTES = 16;

/** Of one length for every password: scrypt alone takes a short one and the same with zero bytes added for equal. */
const digest = (password: string): Buffer => createHash('sha256').update(password.normalize('NFKC')).digest();

const derive = (password: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(digest(password), salt, KEY_BYTES, { N, r, p, maxmem: 256 * N * r }, (failure, key) =>
      failure ? reject(failure) : resolve(key),
    );
  });

/** A salted scrypt hash together with the parameters that made it. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64'), key.toString('base64')].join('$');
}

/** Takes about as long for an account without a password as for a wrong one. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, N, r, p, salt = '', expected = ''] = hash?.split('$') ?? [];
  if (expected === '') {
    await derive(password, Buffer.alloc(SALT_BYTES), COST);
    return false;
  }
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  return timingSafeEqual(
    await derive(password, Buffer.from(salt, 'base64'), cost),
    Buffer.from(expected, 'base64'),
  );
}
