import type { TokenKind } from './token.ts';

/** A program of a user that can be notified, on a telephone for instance; until it is registered for that, only its id. */
export interface PushDevice {
  deviceId: number;
  /** How the device calls the key with which it is written to. */
  pushKeyId: number | null;
  /** That key, encrypted under the secret of the service. */
  sealedKey: Uint8Array | null;
  tokenKind: TokenKind | null;
  /** How device and relay call the token that the relay knows. */
  tokenId: string | null;
  /** The same of the token that is to be registered with the relay. */
  pendingTokenId: string | null;
  /** When a token was given the last time. */
  tokenGivenAtSeconds: number | null;
  /** Why the relay did not take it. */
  errorCode: string | null;
}

/** All devices of a user, ascending by id. */
export interface PushDevices {
  userId: number;
  revision: number;
  devices: PushDevice[];
}

/** What may be written to. */
export type ActiveDevice = PushDevice & {
  pushKeyId: number;
  sealedKey: Uint8Array;
  tokenKind: TokenKind;
  tokenId: string;
};

export const newDevice = (deviceId: number): PushDevice => ({
  deviceId,
  pushKeyId: null,
  sealedKey: null,
  tokenKind: null,
  tokenId: null,
  pendingTokenId: null,
  tokenGivenAtSeconds: null,
  errorCode: null,
});

const isActive = (device: PushDevice): device is ActiveDevice =>
  device.tokenId !== null && device.sealedKey !== null;

export const listActive = ({ devices }: PushDevices): ActiveDevice[] => devices.filter(isActive);

export const findDevice = ({ devices }: PushDevices, deviceId: number): PushDevice | undefined =>
  devices.find((one) => one.deviceId === deviceId);

/** The device as register tells of it, by its id. */
export const toDeviceRecord = (device: PushDevice) => ({
  push_key_id: device.pushKeyId,
  push_token_id: device.tokenId,
  pending_push_token_id: device.pendingTokenId,
  push_token_last_updated_timestamp: device.tokenGivenAtSeconds,
  push_registration_error_code: device.errorCode,
});
