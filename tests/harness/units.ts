import type { TestService } from './service.ts';

/** Capacity units. */
export interface Units {
  read: number;
  write: number;
}

/** The capacity units that work consumes. */
export async function unitsOf({ meter }: TestService, work: () => Promise<unknown>): Promise<Units> {
  meter.reset();
  await work();
  return { read: meter.read, write: meter.write };
}
