import { AsyncLocalStorage } from 'node:async_hooks';
import type { CapacityMeter } from '#shared/table/dynamo-table.ts';

/** Does something whose units are counted already. */
export type Aside = <Result>(act: () => Promise<Result>) => Promise<Result>;

/** A meter that counts nothing of what is done aside. */
export function meterBut(meter: CapacityMeter): { meter: CapacityMeter; aside: Aside } {
  const isAside = new AsyncLocalStorage<true>();
  return {
    meter: (units) => {
      if (!isAside.getStore()) meter(units);
    },
    aside: (act) => isAside.run(true, act),
  };
}
