import type { Services } from '#shared/runtime/services.ts';
import { keys } from '#shared/table/keys.ts';
import { countWithin } from './window-counts.ts';

/**
 * Counts a sign-in attempt before it is checked, so that parallel ones count too.
 * @throws RateLimitHit after too many attempts, until the window ends
 */
export const countSignInAttempt = (services: Services, email: string): Promise<void> =>
  countWithin(services, keys.signInFailures(email), services.config.signInFailures);

/** Resets the count after the right password. */
export async function forgetSignInAttempts(services: Services, email: string): Promise<void> {
  await services.table.write({ kind: 'delete', key: keys.signInFailures(email) });
}
