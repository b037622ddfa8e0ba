import { AsyncLocalStorage } from 'node:async_hooks';
import type { ConsumedUnits } from '#shared/runtime/services.ts';

const underWay = new AsyncLocalStorage<ConsumedUnits>();
const none: ConsumedUnits = { read: 0, write: 0 };

/** Runs something by itself: the local service does many things at once, and each knows its own consumption. */
export const countUnits = <Result>(run: (units: ConsumedUnits) => Promise<Result>): Promise<Result> => {
  const units = { ...none };
  return underWay.run(units, () => run(units));
};

/** Books the consumption of a call to the table to the work under way. */
export function bookUnits({ read, write }: ConsumedUnits): void {
  const units = underWay.getStore();
  if (!units) return;
  units.read += read;
  units.write += write;
}

/** The consumption of the work under way. */
export const consumedUnits = (): ConsumedUnits => underWay.getStore() ?? none;
