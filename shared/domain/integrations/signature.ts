import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { BadRequest } from '#shared/domain/errors.ts';

/**
 * How a sender signs a body with a shared secret. `hex` and `base64` are HMACs of the body, after an optional
 * prefix; `plain` is the secret itself; `stripe` and `slack` sign a time too; `trello` signs the body and the
 * address with SHA-1; `zendesk` signs the time of another header before the body.
 */
export interface Signature {
  header: string;
  scheme: 'hex' | 'base64' | 'plain' | 'stripe' | 'slack' | 'zendesk';
  /** Before each signature of the header; several are separated by commas. */
  prefix?: string;
}

interface Signed {
  header(name: string): string | undefined;
  body: Uint8Array;
  nowSeconds: number;
}

/** Older signatures could be replayed. */
const MAX_AGE_SECONDS = 300;

/** @throws BadRequest unless the body is signed with the secret */
export function requireSigned(signature: Signature, secret: string, signed: Signed): void {
  const input = signed.header(signature.header) ?? '';
  if (!isSigned(signature, secret, input, signed))
    throw new BadRequest('Webhook signature verification failed.');
}

function isSigned(
  { scheme, prefix = '' }: Signature,
  secret: string,
  input: string,
  signed: Signed,
): boolean {
  const { header, body, nowSeconds } = signed;
  const hmac = (...parts: (string | Uint8Array)[]): Buffer => {
    const mac = createHmac('sha256', secret);
    for (const part of parts) mac.update(part);
    return mac.digest();
  };
  const isRecent = (seconds: string): boolean => Math.abs(nowSeconds - Number(seconds)) <= MAX_AGE_SECONDS;
  if (scheme === 'plain') return isSame(input, secret);
  if (scheme === 'stripe') {
    const parts = input.split(',').map((part) => part.trim());
    const time = parts.find((part) => part.startsWith('t='))?.slice(2) ?? '';
    const expected = hmac(`${time}.`, body).toString('hex');
    return isRecent(time) && parts.some((part) => isSame(part, `v1=${expected}`));
  }
  if (scheme === 'slack') {
    const time = header('x-slack-request-timestamp') ?? '';
    return isRecent(time) && isSame(input, `v0=${hmac(`v0:${time}:`, body).toString('hex')}`);
  }
  if (scheme === 'zendesk') {
    const time = header('x-zendesk-webhook-signature-timestamp') ?? '';
    return isSame(input, hmac(time, body).toString('base64'));
  }
  const expected = `${prefix}${hmac(body).toString(scheme)}`;
  return input.split(',').some((part) => isSame(part.trim(), expected));
}

/** Compares in constant time. */
const isSame = (input: string, expected: string): boolean =>
  timingSafeEqual(hash('sha256', input, 'buffer'), hash('sha256', expected, 'buffer'));
