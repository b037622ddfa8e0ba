import { RateLimitHit } from '#shared/domain/errors.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { CountLimit } from '#shared/runtime/config.ts';
import type { Services } from '#shared/runtime/services.ts';
import type { Key } from '#shared/table/keys/key.ts';
import { signInKeys } from '#shared/table/keys/sign-in.ts';
import { countWithin } from './window-counts.ts';

/** How long a network stays one from which the account has signed in. */
const KNOWN_SECONDS = 90 * 24 * 3600;

/** Where an attempt comes from: a network, or a browser that is signed in already. */
export type Origin = { email: string; network: string };

/**
 * Counts a sign-in attempt before it is checked, so that parallel ones count too. Attempts of strangers elsewhere
 * do not block the networks from which the account has signed in.
 * @throws RateLimitHit after too many attempts, until the window ends
 */
export async function countSignInAttempt(services: Services, origin: Origin): Promise<void> {
  const { email, network } = origin;
  const { signInFailures, signInFailuresOfAccount } = services.config;
  await countWithin(services, signInKeys.failures(email, network), signInFailures);
  await countOfAll(services, signInKeys.failures(email), signInFailuresOfAccount, origin);
}

/** Counts for all networks together, except those from which the account has signed in. @throws RateLimitHit */
export async function countOfAll(
  services: Services,
  key: Key,
  limit: CountLimit,
  { email, network }: Origin,
): Promise<void> {
  try {
    await countWithin(services, key, limit);
  } catch (failure) {
    if (!(failure instanceof RateLimitHit)) throw failure;
    const known = await services.table.find(signInKeys.network(email, network));
    if (!known || Number(known.expiresAtSeconds) <= toSeconds(services.clock.nowMs())) throw failure;
  }
}

/** Resets the count of the network after the right password, and remembers the network. */
export async function forgetSignInAttempts(
  { table, clock }: Services,
  { email, network }: Origin,
): Promise<void> {
  const expiresAtSeconds = toSeconds(clock.nowMs()) + KNOWN_SECONDS;
  await Promise.all([
    table.write({ kind: 'delete', key: signInKeys.failures(email, network) }),
    table.write({ kind: 'put', item: { ...signInKeys.network(email, network), expiresAtSeconds } }),
  ]);
}
