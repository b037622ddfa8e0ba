import { RateLimitHit } from '#shared/domain/errors.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, type Item } from '#shared/table/table.ts';

/**
 * Counts an attempt to sign in before it is looked at, so that many at once count too.
 * @throws RateLimitHit when the account had too many attempts within the window, until the window ends
 */
export async function countSignInAttempt(services: Services, email: string): Promise<void> {
  const { limit, windowSeconds } = services.config.signInFailures;
  const key = keys.signInFailures(email);
  const nowSeconds = toSeconds(services.clock.nowMs());
  const isOpen = { above: { expiresAtSeconds: nowSeconds }, belowOrAbsent: { attempts: limit } };
  try {
    await services.table.write({ kind: 'update', key, add: { attempts: 1 }, condition: isOpen });
  } catch (failure) {
    if (!(failure instanceof ConditionFailed)) throw failure;
    const endsAtSeconds = windowEnd(failure.existing);
    if (endsAtSeconds > nowSeconds) throw new RateLimitHit(endsAtSeconds - nowSeconds);
    const expiresAtSeconds = nowSeconds + windowSeconds;
    await services.table.write({ kind: 'put', item: { ...key, attempts: 1, expiresAtSeconds } });
  }
}

const windowEnd = (item: Item | undefined): number => Number(item?.expiresAtSeconds ?? 0);

/** Begins anew after the right password. */
export async function forgetSignInAttempts(services: Services, email: string): Promise<void> {
  await services.table.write({ kind: 'delete', key: keys.signInFailures(email) });
}
