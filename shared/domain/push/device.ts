import type { TokenKind } from './token.ts';

/** An app of a user that can get push notifications. Before its registration only the id is known. */
export interface PushDevice {
  deviceId: number;
  /** The device's id for its encryption key. */
  pushKeyId: number | null;
  /** That key, encrypted with the service's secret. */
  sealedKey: Uint8Array | null;
  tokenKind: TokenKind | null;
  /** The id of the device's token, known to device and relay. */
  tokenId: string | null;
  /** The id of a token that is not yet registered with the relay. */
  pendingTokenId: string | null;
  /** The last time the device sent a token. */
  tokenGivenAtSeconds: number | null;
  /** Why the relay rejected the token. */
  errorCode: string | null;
}

/** All devices of a user, ascending by id. */
export interface PushDevices {
  userId: number;
  revision: number;
  devices: PushDevice[];
}

/** A device that can be notified. */
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
  devices.find((device) => device.deviceId === deviceId);

/** The device record of register, by id. */
export const toDeviceRecord = (device: PushDevice) => ({
  push_key_id: device.pushKeyId,
  push_token_id: device.tokenId,
  pending_push_token_id: device.pendingTokenId,
  push_token_last_updated_timestamp: device.tokenGivenAtSeconds,
  push_registration_error_code: device.errorCode,
});
