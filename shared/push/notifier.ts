import { advancePlace, claimPlace, type Place, releasePlace, renewPlace } from '#shared/log/follow.ts';
import type { Services } from '#shared/runtime/services.ts';
import { readNotifier } from '#shared/store/push/push-devices.ts';
import { keys } from '#shared/table/keys.ts';

/** The place of the worker that notifies devices; no one has to be there without devices. */
export const notifierPlace = (services: Services): Place => ({
  async claim() {
    const { activeDevices = 0, ...state } = await readNotifier(services.table);
    return activeDevices === 0 ? undefined : claimPlace(services, keys.notifier(), state);
  },
  advance: (...done) => advancePlace(services, keys.notifier(), ...done),
  renew: (claim) => renewPlace(services, keys.notifier(), claim),
  release: (claim) => releasePlace(services, keys.notifier(), claim),
});
