import type { Change } from '#shared/domain/change.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { ONE_STEP } from '#shared/domain/jobs.ts';
import { requireDevice, updateDeviceChange } from './changes.ts';
import type { PushDevice, PushDevices } from './device.ts';
import { isBase64, type TokenKind } from './token.ts';

/** The first byte of a key identifies the cryptosystem: XSalsa20 with Poly1305. */
const SECRETBOX = 0x31;
const KEY_BYTES = 32;
const MAX_KEY_ID = 2 ** 32 - 1;
const TOKEN_ID_BYTES = 8;
/** Relays accept some hundred bytes. */
const MAX_REGISTRATION_LENGTH = 8_192;

/** The registration data of a device; each half is given completely or not at all. */
export interface Registration {
  key?: GivenKey;
  token?: GivenToken;
}

export interface GivenKey {
  pushKeyId: number;
  pushKey: Uint8Array;
}

export interface GivenToken {
  tokenKind: TokenKind;
  tokenId: string;
  /** Intended for the relay: identifies the relay's key that encrypts the rest. */
  relayPublicKey: string;
  encryptedRegistration: string;
}

interface GivenFields {
  push_key_id?: number | undefined;
  push_key?: string | undefined;
  token_kind?: TokenKind | undefined;
  token_id?: string | undefined;
  bouncer_public_key?: string | undefined;
  encrypted_push_registration?: string | undefined;
}

/** @throws BadRequest when a half is incomplete, or both are missing */
export function readRegistration(input: GivenFields): Registration {
  const key = readKey(input);
  const token = readToken(input);
  if (!key && !token)
    throw new BadRequest(
      'Missing parameters: must provide either all push key fields, all token fields, or both.',
    );
  return { ...(key && { key }), ...(token && { token }) };
}

function readKey({ push_key_id: pushKeyId, push_key: text }: GivenFields): GivenKey | undefined {
  if (pushKeyId !== undefined && (pushKeyId < 0 || pushKeyId > MAX_KEY_ID))
    throw new BadRequest('Invalid push_key_id: Value error, Not a valid unsigned 32-bit integer');
  if (pushKeyId === undefined || text === undefined) return incomplete([pushKeyId, text]);
  const bytes = isBase64(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);
  if (bytes.length !== 1 + KEY_BYTES || bytes[0] !== SECRETBOX) throw new BadRequest('Invalid `push_key`');
  return { pushKeyId, pushKey: Uint8Array.from(bytes.subarray(1)) };
}

function readToken(input: GivenFields): GivenToken | undefined {
  const { token_kind: tokenKind, token_id: tokenId } = input;
  const { bouncer_public_key: relayPublicKey, encrypted_push_registration: encryptedRegistration } = input;
  if (
    tokenKind === undefined ||
    tokenId === undefined ||
    relayPublicKey === undefined ||
    encryptedRegistration === undefined
  )
    return incomplete([tokenKind, tokenId, relayPublicKey, encryptedRegistration]);
  if (!isBase64(tokenId)) throw new BadRequest('`token_id` is not Base64 encoded');
  if (Buffer.from(tokenId, 'base64').length !== TOKEN_ID_BYTES) throw new BadRequest('Invalid `token_id`');
  if (Math.max(relayPublicKey.length, encryptedRegistration.length) > MAX_REGISTRATION_LENGTH)
    throw new BadRequest('The registration is too long');
  return { tokenKind, tokenId, relayPublicKey, encryptedRegistration };
}

/** The half was not given. @throws BadRequest when only a part of it was */
function incomplete(parts: unknown[]): undefined {
  if (parts.some((part) => part !== undefined))
    throw new BadRequest(
      'Missing parameters: must provide either all push key fields, all token fields, or both.',
    );
}

/** A key as it is stored. */
export interface SealedKey {
  pushKeyId: number;
  sealedKey: Uint8Array;
  /** Whether the device has this key already. */
  isKnown: boolean;
}

/**
 * Gives the device a new key, a token to register with the relay, or both; undefined when it has them
 * already.
 * @throws BadRequest when the device is unknown, waits for the relay, or has no first half yet
 */
export function registrationChange(
  all: PushDevices,
  deviceId: number,
  { key, token }: { key: SealedKey | undefined; token: GivenToken | undefined },
  nowSeconds: number,
): Change | undefined {
  const device = requireDevice(all, deviceId);
  const isNew = device.sealedKey === null;
  if (key && !token) {
    if (isNew) throw new BadRequest('No push registration exists to rotate key for.');
    return key.isKnown ? undefined : updateDeviceChange(all, device, keyFields(key));
  }
  if (!token) return undefined;
  if (isPending(device)) throw new BadRequest('A registration for the device already in progress.');
  if (isNew && !key) throw new BadRequest('No push registration exists to rotate token for.');
  if (isRegistered(device, token) && (!key || key.isKnown)) return undefined;
  const payload = { userId: all.userId, deviceId, ...token };
  const change = updateDeviceChange(all, device, {
    ...(key && keyFields(key)),
    pendingTokenId: token.tokenId,
    tokenGivenAtSeconds: nowSeconds,
    errorCode: null,
  });
  return { ...change, jobs: [{ type: 'register-push-device', payload, steps: ONE_STEP }] };
}

const keyFields = ({ pushKeyId, sealedKey }: SealedKey) => ({ pushKeyId, sealedKey });

const isPending = ({ pendingTokenId, errorCode }: PushDevice): boolean =>
  pendingTokenId !== null && errorCode === null;

const isRegistered = (device: PushDevice, { tokenId, tokenKind }: GivenToken): boolean =>
  device.errorCode === null && device.tokenId === tokenId && device.tokenKind === tokenKind;
