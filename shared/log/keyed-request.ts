import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { BadRequest, IdempotencyKeyReused } from '#shared/domain/errors.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findKeyedRequest, type KeyedRequestItem } from '#shared/store/log/keyed-requests.ts';
import { limitKeys } from '#shared/table/keys/limits.ts';
import type { Write } from '#shared/table/table.ts';
import type { Outcome, Progress, Retry } from './commit.ts';

/** How long a retry gets the first answer. */
const KEPT_SECONDS = 24 * 3600;
/** An item is limited to 400 KB. No present answer comes near (`docs/decisions/0020-the-api.md`). */
const MAX_ANSWER_BYTES = 380_000;
/** The best of the fast levels: 100 ms for 2 MB. It also finds distant repetitions, such as names. */
const SOON = { [constants.BROTLI_PARAM_QUALITY]: 5 };
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The caller, the key, and the digest of the request. */
export interface RequestName {
  userId: number;
  key: string;
  digest: string;
}

/** The stored answer: the fields of a success, or of a refusal. */
export type KeptAnswer =
  | { fields: object }
  | {
      refusal: { status: number; code: string | undefined; message: string; fields: Record<string, unknown> };
    };

/** A digest that reveals nothing about the text without the secret. */
export const digestUnder = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(`keyed request:${text}`).digest('base64url');

/** The stored state of a request with a key: nothing, its progress, or its answer. */
export class KeyedRequest implements Retry {
  readonly #services: Services;
  readonly #name: RequestName;
  readonly #secret: string;
  #found: Omit<KeyedRequestItem, 'answer'> | undefined;
  #isAnswered = false;

  constructor(services: Services, name: RequestName, secret: string) {
    this.#services = services;
    this.#name = name;
    this.#secret = secret;
  }

  get progress(): Progress | undefined {
    return this.#found?.progress;
  }

  /**
   * The answer, once there is one. Reads one item.
   * @throws IdempotencyKeyReused when the key belongs to another request
   */
  async look(): Promise<KeptAnswer | undefined> {
    const item = await this.#find();
    if (item && item.digest !== this.#name.digest) throw new IdempotencyKeyReused();
    this.#found = item;
    return item?.answer && this.#open(item.answer);
  }

  async isOvertaken(): Promise<boolean> {
    const item = await this.#find();
    return item?.digest !== this.#found?.digest || item?.steps !== this.#found?.steps;
  }

  write(outcome: Outcome): Extract<Write, { kind: 'put' }> {
    const nowSeconds = toSeconds(this.#services.clock.nowMs());
    const found = this.#found;
    const { userId, key } = this.#name;
    return {
      kind: 'put',
      item: {
        ...limitKeys.keyedRequest(userId, key),
        ...this.#next(outcome),
        ...(!('progress' in outcome) && { answer: this.#seal(toKept(outcome)) }),
        expiresAtSeconds: nowSeconds + KEPT_SECONDS,
      },
      condition: found
        ? { equals: { digest: found.digest, steps: found.steps } }
        : { belowOrAbsent: { expiresAtSeconds: nowSeconds } },
    };
  }

  written(outcome: Outcome): void {
    this.#found = this.#next(outcome);
    this.#isAnswered = !('progress' in outcome);
  }

  /** Whether an answer is stored. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  #find(): Promise<KeyedRequestItem | undefined> {
    const { table, clock } = this.#services;
    return findKeyedRequest(table, this.#name, toSeconds(clock.nowMs()));
  }

  #next(outcome: Outcome): Omit<KeyedRequestItem, 'answer'> {
    const steps = (this.#found?.steps ?? 0) + 1;
    return {
      digest: this.#name.digest,
      steps,
      ...('progress' in outcome && { progress: outcome.progress }),
    };
  }

  /** Answers may contain keys and links, which are never stored in the clear. */
  #seal(answer: KeptAnswer): Uint8Array {
    const nonce = createHash('sha256').update(this.#services.ids.uuid()).digest().subarray(0, NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#cipherKey(), nonce);
    const packed = brotliCompressSync(JSON.stringify(answer), { params: SOON });
    if (packed.length > MAX_ANSWER_BYTES)
      throw new BadRequest('The answer is too large to be kept for a retry; ask for less at once');
    return Buffer.concat([nonce, cipher.update(packed), cipher.final(), cipher.getAuthTag()]);
  }

  #open(sealed: Uint8Array): KeptAnswer {
    const [nonce, tag] = [sealed.subarray(0, NONCE_BYTES), sealed.subarray(-TAG_BYTES)];
    const decipher = createDecipheriv('aes-256-gcm', this.#cipherKey(), nonce).setAuthTag(tag);
    const packed = Buffer.concat([
      decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)),
      decipher.final(),
    ]);
    return JSON.parse(brotliDecompressSync(packed).toString('utf8'));
  }

  /** A separate key for each request. */
  #cipherKey(): Buffer {
    const { userId, key } = this.#name;
    return createHmac('sha256', this.#secret).update(`answer:${userId}:${key}`).digest();
  }
}

function toKept(outcome: Exclude<Outcome, { progress: Progress }>): KeptAnswer {
  if ('fields' in outcome) return outcome;
  const { status, code, message, fields } = outcome.refusal;
  return { refusal: { status, code, message, fields } };
}
