import { AsyncLocalStorage } from 'node:async_hooks';
import type { ConsumedUnits } from '#shared/runtime/services.ts';

const underWay = new AsyncLocalStorage<ConsumedUnits>();
const none: ConsumedUnits = { read: 0, write: 0 };

/** Runs something by itself: the local service does many things at once, and each knows what it has consumed. */
export const countUnits = <Result>(run: (units: ConsumedUnits) => Promise<Result>): Promise<Result> => {
  const units = { ...none };
  return underWay.run(units, () => run(units));
};

/** Books what a call to the table consumed to what is under way. */
export function bookUnits({ read, write }: ConsumedUnits): void {
  const units = underWay.getStore();
  if (!units) return;
  units.read += read;
  units.write += write;
}

/** What the thing under way has consumed. */
export const consumedUnits = (): ConsumedUnits => underWay.getStore() ?? none;
