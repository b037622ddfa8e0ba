import { toDeviceRecord } from '#shared/domain/push/device.ts';
import { getPushDevices } from '#shared/store/push/push-devices.ts';
import type { Section } from './section.ts';

/** The caller's devices, by their ids. */
export const deviceSection: Section = async ({ services, request, wants }) => {
  if (!wants('device')) return {};
  const { devices } = await getPushDevices(services.table, request.caller.userId);
  return { devices: Object.fromEntries(devices.map((device) => [device.deviceId, toDeviceRecord(device)])) };
};
