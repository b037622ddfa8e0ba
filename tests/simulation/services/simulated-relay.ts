import { type Relay, RelayFailure, type RelayRequest } from '#shared/runtime/relay.ts';

/** A relay that takes everything, as far as calls reach it. */
export function simulatedRelay(
  effect: (what: string, act: () => void) => Promise<void>,
  handedOver: RelayRequest[],
): Relay {
  const reach = async (what: string, act: () => void): Promise<void> => {
    try {
      await effect(what, act);
    } catch (failure) {
      throw new RelayFailure('unreachable', String(failure));
    }
  };
  return {
    register: () => reach('register with the relay', () => {}),
    async notify(_realm, requests) {
      await reach(`notify ${requests.length}`, () => handedOver.push(...requests));
      return [];
    },
  };
}
