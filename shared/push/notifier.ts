import { advancePlace, claimPlace, type Place, releasePlace, renewPlace } from '#shared/log/follow.ts';
import type { Services } from '#shared/runtime/services.ts';
import { readNotifier } from '#shared/store/push/push-devices.ts';
import { userKeys } from '#shared/table/keys/users.ts';

/** The place of the worker that notifies devices; no one has to be there without devices. */
export const notifierPlace = (services: Services): Place => ({
  async claim() {
    const { activeDevices = 0, ...state } = await readNotifier(services.table);
    return activeDevices === 0 ? undefined : claimPlace(services, userKeys.notifier(), state);
  },
  advance: (...done) => advancePlace(services, userKeys.notifier(), ...done),
  renew: (claim) => renewPlace(services, userKeys.notifier(), claim),
  release: (claim) => releasePlace(services, userKeys.notifier(), claim),
});
