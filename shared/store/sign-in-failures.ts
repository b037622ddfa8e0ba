import type { Services } from '#shared/runtime/services.ts';
import { keys } from '#shared/table/keys.ts';
import { countWithin } from './window-counts.ts';

/**
 * Counts an attempt to sign in before it is looked at, so that many at once count too.
 * @throws RateLimitHit when the account had too many attempts within the window, until the window ends
 */
export const countSignInAttempt = (services: Services, email: string): Promise<void> =>
  countWithin(services, keys.signInFailures(email), services.config.signInFailures);

/** Begins anew after the right password. */
export async function forgetSignInAttempts(services: Services, email: string): Promise<void> {
  await services.table.write({ kind: 'delete', key: keys.signInFailures(email) });
}
