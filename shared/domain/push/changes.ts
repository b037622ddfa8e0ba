import type { Change } from '#shared/domain/change.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import type { LogEvent, UntypedPayload } from '#shared/events/catalogue.ts';
import { memberChunkOf } from '#shared/table/keys/key.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Write } from '#shared/table/table.ts';
import {
  findDevice,
  listActive,
  newDevice,
  type PushDevice,
  type PushDevices,
  toDeviceRecord,
} from './device.ts';

/** All devices of a user are one item. */
export const MAX_DEVICES = 50;

/** The number of devices to notify. */
export interface NotifierState {
  /** Absent before the first device. */
  activeDevices?: number;
}

/** @throws BadRequest for too many */
export function addDeviceChange(all: PushDevices, deviceId: number): Change {
  if (all.devices.length >= MAX_DEVICES)
    throw new BadRequest(`You cannot have more than ${MAX_DEVICES} devices`);
  const next = [...all.devices, newDevice(deviceId)];
  return changeTo(all, next, { op: 'add', device_id: deviceId });
}

/** @throws BadRequest for an unknown device */
export function requireDevice(all: PushDevices, deviceId: number): PushDevice {
  const device = findDevice(all, deviceId);
  if (!device) throw new BadRequest('Invalid `device_id`');
  return device;
}

/** @throws BadRequest for an unknown device */
export function removeDeviceChange(all: PushDevices, deviceId: number): Change {
  const device = requireDevice(all, deviceId);
  const next = all.devices.filter((other) => other !== device);
  return changeTo(all, next, { op: 'remove', device_id: deviceId });
}

/** Changes a device and sends clients the differences. */
export function updateDeviceChange(
  all: PushDevices,
  device: PushDevice,
  set: Partial<PushDevice>,
  notifier: NotifierState = {},
): Change {
  const next = { ...device, ...set };
  const before = toDeviceRecord(device) as Record<string, unknown>;
  const changed = Object.entries(toDeviceRecord(next)).filter(([name, value]) => before[name] !== value);
  const devices = all.devices.map((candidate) => (candidate === device ? next : candidate));
  const payload = { op: 'update' as const, device_id: device.deviceId, ...Object.fromEntries(changed) };
  return changeTo(all, devices, payload, notifier);
}

function changeTo(
  { userId, revision, devices: before }: PushDevices,
  devices: PushDevice[],
  payload: UntypedPayload<'device'>,
  notifier: NotifierState = {},
): Change {
  const active = (list: PushDevice[]): number => listActive({ userId, revision, devices: list }).length;
  const [had, has] = [active(before), active(devices)];
  const event: LogEvent = {
    audience: { kind: 'users', userIds: [userId] },
    payload: { type: 'device', ...payload },
  };
  return {
    writes: (position) => [
      {
        kind: 'put',
        item: { ...userKeys.pushDevices(userId), userId, revision: revision + 1, devices },
        condition: revision === 0 ? { exists: false } : { equals: { revision } },
      },
      ...(had === has ? [] : [countWrite(has - had, notifier, position)]),
      ...(had > 0 === has > 0 ? [] : [listWrite(userId, has > 0)]),
    ],
    events: [event],
  };
}

/** The first device starts at the head of the log: earlier entries were never scanned for devices. */
function countWrite(difference: number, { activeDevices }: NotifierState, position: number): Write {
  const count: Write = { kind: 'update', key: userKeys.notifier(), add: { activeDevices: difference } };
  if (difference < 0 || activeDevices) return count;
  const condition = activeDevices === undefined ? { exists: false } : { equals: { activeDevices } };
  return { ...count, set: { position }, condition };
}

function listWrite(userId: number, isAdded: boolean): Write {
  const key = userKeys.pushUsers(memberChunkOf(userId));
  const userIds = new Set([userId]);
  return isAdded ? { kind: 'update', key, add: { userIds } } : { kind: 'update', key, take: { userIds } };
}
