import { argon2, createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { Argon2Cost, PasswordCost, ScryptCost } from '#shared/runtime/config.ts';
import { takeTurn } from './password-turns.ts';

const KEY_BYTES = 32;
const SALT_BYTES = 16;

/**
 * A salted hash with its parameters: `$argon2id$v=19$m=19456,t=2,p=1$salt$key`, or
 * `scrypt$32768$8$3$salt$key`.
 * @throws RateLimitHit when too many hashes are waiting
 */
export async function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, cost);
  return `${prefixOf(cost)}${spell(salt, cost)}$${spell(key, cost)}`;
}

/**
 * Whether the password matches the hash. An account without a password takes about as long as a wrong one, so
 * that timing reveals nothing; that is the purpose of the cost.
 * @throws RateLimitHit when too many hashes are waiting
 */
export async function verifyPassword(
  password: string,
  hash: string | undefined,
  costOfNone: PasswordCost,
): Promise<boolean> {
  const known = readHash(hash);
  if (known) return timingSafeEqual(await derive(password, known.salt, known.cost), known.key);
  await derive(password, Buffer.alloc(SALT_BYTES), costOfNone);
  return false;
}

/** Whether a hash was made with other parameters than those in use now. */
export const isOutdated = (hash: string | undefined, cost: PasswordCost): boolean =>
  hash !== undefined && !hash.startsWith(prefixOf(cost));

const isScrypt = (cost: PasswordCost): cost is ScryptCost => 'N' in cost;

const prefixOf = (cost: PasswordCost): string =>
  isScrypt(cost)
    ? `scrypt$${cost.N}$${cost.r}$${cost.p}$`
    : `$argon2id$v=19$m=${cost.memoryKib},t=${cost.passes},p=${cost.lanes}$`;

/** Each algorithm in its usual form: argon2id has no padding. */
const spell = (bytes: Buffer, cost: PasswordCost): string =>
  isScrypt(cost) ? bytes.toString('base64') : bytes.toString('base64').replaceAll('=', '');

const FORMS: [RegExp, (first: number, second: number, third: number) => PasswordCost][] = [
  [
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]{43})$/,
    (memoryKib, passes, lanes) => ({ memoryKib, passes, lanes }),
  ],
  [/^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w+/]+=*)\$([\w+/]{43}=)$/, (N, r, p) => ({ N, r, p })],
];

/** Undefined for malformed hashes, which match no password. */
function readHash(hash = ''): { cost: PasswordCost; salt: Buffer; key: Buffer } | undefined {
  for (const [form, toCost] of FORMS) {
    const [, first, second, third, salt, key] = form.exec(hash) ?? [];
    if (salt === undefined || key === undefined) continue;
    const cost = toCost(Number(first), Number(second), Number(third));
    return { cost, salt: Buffer.from(salt, 'base64'), key: Buffer.from(key, 'base64') };
  }
  return undefined;
}

/** Normalized, because the same letters can be composed in several ways. */
function derive(password: string, salt: Buffer, cost: PasswordCost): Promise<Buffer> {
  const normal = password.normalize('NFKC');
  return takeTurn(() => (isScrypt(cost) ? byScrypt(normal, salt, cost) : byArgon2(normal, salt, cost)));
}

/**
 * Hashed to a fixed length first: scrypt alone treats a short password and the same one padded with zero
 * bytes as equal.
 */
const byScrypt = (password: string, salt: Buffer, { N, r, p }: ScryptCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const digest = createHash('sha256').update(password).digest();
    scrypt(digest, salt, KEY_BYTES, { N, r, p, maxmem: 256 * N * r * p }, (failure, key) =>
      failure ? reject(failure) : resolve(key),
    );
  });

const byArgon2 = (
  message: string,
  nonce: Buffer,
  { memoryKib, passes, lanes }: Argon2Cost,
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const parameters = {
      message,
      nonce,
      memory: memoryKib,
      passes,
      parallelism: lanes,
      tagLength: KEY_BYTES,
    };
    argon2('argon2id', parameters, (failure, key) => (failure ? reject(failure) : resolve(key)));
  });
