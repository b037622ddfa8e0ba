import { type Relay, RelayFailure } from '#shared/runtime/relay.ts';

export interface RelayOptions {
  url: string;
  /** The service's account at the relay. */
  user: string;
  key: () => Promise<string>;
  timeoutMs: number;
}

/** Registration errors that a retry cannot fix. */
const LASTING_CODES = [
  'INVALID_BOUNCER_PUBLIC_KEY',
  'INVALID_ENCRYPTED_PUSH_REGISTRATION',
  'REQUEST_EXPIRED',
] as const;

/** The HTTP client of a relay. */
export function createRelay(options: RelayOptions): Relay {
  return {
    async register(registration) {
      const body = new URLSearchParams({ ...registration });
      await call(options, 'push/e2ee/register', { body });
    },
    async notify(realmUuid, requests) {
      const answer = await call(options, 'push/e2ee/notify', {
        body: JSON.stringify({ realm_uuid: realmUuid, push_requests: requests }),
        headers: { 'content-type': 'application/json' },
      });
      const { delete_token_ids: dead = [] } = answer;
      if (!Array.isArray(dead)) throw new RelayFailure('broken', 'The relay does not name dead tokens');
      return dead.filter((value) => typeof value === 'string');
    },
  };
}

type Answer = Record<string, unknown>;

async function call(options: RelayOptions, path: string, init: RequestInit): Promise<Answer> {
  const { status, text } = await exchange(options, path, init);
  const answer = parse(text);
  if (status === 200 && answer?.result === 'success') return answer;
  const code = LASTING_CODES.find((lastingCode) => lastingCode === answer?.code);
  if (status === 400 && code) throw new RelayFailure('rejected', `The relay rejects: ${code}`, code);
  const isOurFault = status >= 300 && status < 500;
  throw new RelayFailure(isOurFault ? 'refused' : 'broken', `The relay answers with status ${status}`);
}

async function exchange({ url, user, key, timeoutMs }: RelayOptions, path: string, init: RequestInit) {
  const credentials = Buffer.from(`${user}:${await key()}`).toString('base64');
  try {
    const reply = await fetch(new URL(`/api/v1/remotes/${path}`, url), {
      ...init,
      method: 'POST',
      headers: { ...init.headers, authorization: `Basic ${credentials}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: reply.status, text: await reply.text() };
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure);
    throw new RelayFailure('unreachable', `The relay does not answer: ${reason}`);
  }
}

function parse(text: string): Answer | null {
  try {
    return JSON.parse(text) as Answer | null;
  } catch {
    return null;
  }
}
