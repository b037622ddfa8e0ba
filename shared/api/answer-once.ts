import { createHash } from 'node:crypto';
import { DeclaredError, InvalidIdempotencyKey } from '#shared/domain/errors.ts';
import { Conflict, Overtaken, type Retry, withFreshState, writeSilently } from '#shared/log/commit.ts';
import { digestUnder, type KeptAnswer, KeyedRequest } from '#shared/log/keyed-request.ts';
import type { Services } from '#shared/runtime/services.ts';
import { secretInHeader } from './auth/authenticate.ts';
import { Browser } from './auth/browser.ts';
import type { UploadedFile } from './files/uploads.ts';
import type { HttpEvent } from './http.ts';
import type { ParameterTexts } from './parameters.ts';

/** A request to an endpoint that creates something, after its parameters were read. */
export interface KeyedCall {
  services: Services;
  userId: number;
  /** The result of `secretOf`. */
  secret: string;
  route: string;
  /** The header as the client sent it. */
  key: string;
  params: Record<string, unknown>;
  /** Includes parameters that the endpoint does not know. */
  texts: ParameterTexts;
  ignored: string[];
  files: UploadedFile[];
}

/** The answer to a request, and whether it was given before. */
export interface OnceAnswered {
  fields: object;
  isReplayed: boolean;
}

/** A refusal that was stored for the first of several identical requests. */
class KeptRefusal extends DeclaredError {
  readonly status: number;
  readonly code: string | undefined;
  constructor({ status, code, message, fields }: Extract<KeptAnswer, { refusal: object }>['refusal']) {
    super(message, fields, REPLAYED_HEADERS);
    this.status = status;
    this.code = code;
  }
}

/** Headers that mark an answer as a repeated one. */
export const REPLAYED_HEADERS = {
  'Idempotent-Replayed': 'true',
  'Access-Control-Expose-Headers': 'Idempotent-Replayed',
};

/** The credential that only the caller knows: the API key, or the browser's session. */
export const secretOf = (http: HttpEvent): string => {
  const { authorization } = http.headers;
  return authorization?.trim() ? secretInHeader(authorization) : (new Browser(http).sessionText ?? '');
};

const PRINTABLE_KEY = /^[\x20-\x7e]{1,255}$/;

/**
 * Handles a request once per key, however many functions receive it at the same time; every other call gets
 * the first answer. A refusal is not stored if the request changed nothing: a retry is decided again.
 * @throws InvalidIdempotencyKey, IdempotencyKeyReused
 */
export async function answerOnce(
  call: KeyedCall,
  handle: (retry: Retry) => Promise<object>,
): Promise<OnceAnswered> {
  const { services, userId, secret, key } = call;
  if (!PRINTABLE_KEY.test(key)) throw new InvalidIdempotencyKey();
  const request = new KeyedRequest(services, { userId, key, digest: digestOf(call) }, secret);
  return withFreshState(services, async () => {
    const kept = await request.look();
    return kept ? replay(kept) : answerFirst(services, request, handle);
  });
}

/** Handles a request without a stored answer, and stores the answer. */
async function answerFirst(
  services: Services,
  request: KeyedRequest,
  handle: (retry: Retry) => Promise<object>,
): Promise<OnceAnswered> {
  try {
    const fields = await handle(request);
    // Stored too where nothing has changed: a retry could find a different state.
    if (!request.isAnswered) await writeSilently(services, request.write({ fields }));
    return { fields, isReplayed: false };
  } catch (failure) {
    if (failure instanceof Overtaken) throw new Conflict();
    if (!(failure instanceof DeclaredError) || request.isAnswered) throw failure;
    // The refusal may be due to another attempt that has succeeded in the meantime.
    const keptMeanwhile = await request.look();
    if (!keptMeanwhile) throw failure;
    return replay(keptMeanwhile);
  }
}

function replay(kept: KeptAnswer): OnceAnswered {
  if ('refusal' in kept) throw new KeptRefusal(kept.refusal);
  return { fields: kept.fields, isReplayed: true };
}

/** Equal for equal requests, whatever the spelling, order and place of their parameters. */
function digestOf({ secret, route, params, texts, ignored, files }: KeyedCall): string {
  const others = [...ignored, 'client']
    .sort()
    .map((name) => [name, texts.body.get(name) ?? texts.query.get(name)]);
  const input = files.map(({ field, name, mediaType, bytes }) => [
    field,
    name,
    mediaType,
    createHash('sha256').update(bytes).digest('hex'),
  ]);
  return digestUnder(secret, JSON.stringify([route, params, others, input], withSortedMembers));
}

const withSortedMembers = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.keys(value)
          .sort()
          .map((name) => [name, Reflect.get(value, name)]),
      )
    : value;
