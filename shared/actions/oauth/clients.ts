import { createHmac, timingSafeEqual } from 'node:crypto';
import { isDocumentAddress, type OAuthClient, readClientMetadata } from '#shared/domain/oauth/client.ts';
import { OAuthError } from '#shared/domain/oauth/errors.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { OutsideFailure } from '#shared/runtime/outside/outside.ts';
import type { Services } from '#shared/runtime/services.ts';

/** A registration is forgotten after this time; programs then register again. */
const REGISTERED_SECONDS = 90 * 24 * 3600;
const DOCUMENT_BYTES = 16 * 1024;
const DOCUMENT_TIMEOUT_MS = 5_000;
const REGISTERED_ID = /^dyn\.([A-Za-z0-9_-]{1,4000})\.([A-Za-z0-9_-]{43})$/;

interface Registration {
  name: string;
  uris: string[];
  until: number;
}

/**
 * Registers a program (RFC 7591). Its id holds its signed description, so registrations
 * take no room.
 * @throws OAuthError
 */
export async function registerClient(
  services: Services,
  metadata: unknown,
): Promise<OAuthClient & { issuedAtSeconds: number }> {
  const { name, redirectUris } = readClientMetadata(metadata);
  const issuedAtSeconds = toSeconds(services.clock.nowMs());
  const registration = { name, uris: redirectUris, until: issuedAtSeconds + REGISTERED_SECONDS };
  const body = Buffer.from(JSON.stringify(registration satisfies Registration)).toString('base64url');
  const clientId = `dyn.${body}.${signatureOf(await services.secret(), body)}`;
  if (!REGISTERED_ID.test(clientId)) throw new OAuthError('invalid_client_metadata', 'That is too much.');
  return { clientId, name, redirectUris, host: undefined, issuedAtSeconds };
}

/** The program with this id: one that registered, or one that a document describes. @throws OAuthError */
export async function getClient(services: Services, clientId: string | undefined): Promise<OAuthClient> {
  if (clientId === undefined) throw new OAuthError('invalid_request', 'The client_id is missing.');
  if (clientId.startsWith('dyn.')) return getRegistered(services, clientId);
  if (isDocumentAddress(clientId)) return getDocumented(services, clientId);
  throw new OAuthError('invalid_client', 'The client is not known.');
}

async function getRegistered(services: Services, clientId: string): Promise<OAuthClient> {
  const [, body = '', signature = ''] = REGISTERED_ID.exec(clientId) ?? [];
  const expected = signatureOf(await services.secret(), body);
  const isSigned = signature.length === expected.length && isSame(signature, expected);
  if (!isSigned) throw new OAuthError('invalid_client', 'The client is not known.');
  const { name, uris, until } = JSON.parse(Buffer.from(body, 'base64url').toString()) as Registration;
  if (until <= toSeconds(services.clock.nowMs()))
    throw new OAuthError('invalid_client', 'The registration has ended.');
  return { clientId, name, redirectUris: uris, host: undefined };
}

const isSame = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a), Buffer.from(b));

const signatureOf = (secret: string, body: string): string =>
  createHmac('sha256', secret).update(`oauth-client:${body}`).digest('base64url');

/** Fetches the document under a client's id through the guard for addresses that others chose. */
async function getDocumented({ outside }: Services, clientId: string): Promise<OAuthClient> {
  const document = await fetchDocument(outside, clientId);
  const named = typeof document === 'object' && document !== null && 'client_id' in document;
  if (!named || document.client_id !== clientId)
    throw new OAuthError('invalid_client', 'The document of the client names another client.');
  const { name, redirectUris } = readClientMetadata(document);
  return { clientId, name, redirectUris, host: new URL(clientId).host };
}

async function fetchDocument(outside: Services['outside'], url: string): Promise<unknown> {
  try {
    const { status, body } = await outside.call({
      url,
      method: 'GET',
      headers: { accept: 'application/json' },
      redirects: 0,
      maxBytes: DOCUMENT_BYTES,
      ifLonger: 'fail',
      timeoutMs: DOCUMENT_TIMEOUT_MS,
    });
    if (status === 200) return JSON.parse(Buffer.from(body).toString()) as unknown;
  } catch (failure) {
    if (!(failure instanceof OutsideFailure) && !(failure instanceof SyntaxError)) throw failure;
  }
  throw new OAuthError('invalid_client', 'The document of the client cannot be read.');
}
