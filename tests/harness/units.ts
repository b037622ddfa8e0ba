import type { TestService } from './service.ts';

/** The capacity units that work consumes. */
export async function unitsOf(
  { meter }: TestService,
  work: () => Promise<unknown>,
): Promise<{ read: number; write: number }> {
  meter.reset();
  await work();
  return { read: meter.read, write: meter.write };
}
