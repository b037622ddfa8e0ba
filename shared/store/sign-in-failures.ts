import { RateLimitHit } from '#shared/domain/errors.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, type Item, type Table } from '#shared/table/table.ts';

/**
 * Counts an attempt to sign in before it is looked at, so that many at once count too.
 * @throws RateLimitHit when the account had too many attempts within the window, until the window ends
 */
export async function countSignInAttempt(services: Services, email: string): Promise<void> {
  const { limit, windowSeconds } = services.config.signInFailures;
  const key = keys.signInFailures(email);
  const nowSeconds = toSeconds(services.clock.nowMs());
  const expiresAtSeconds = nowSeconds + windowSeconds;
  const isOpen = { above: { expiresAtSeconds: nowSeconds }, belowOrAbsent: { attempts: limit } };
  const isOver = { belowOrAbsent: { expiresAtSeconds: nowSeconds + 1 } };
  for (;;) {
    const count = { kind: 'update', key, add: { attempts: 1 }, condition: isOpen } as const;
    const refusal = await tryWrite(services, count);
    if (!refusal) return;
    const endsAtSeconds = windowEnd(refusal.existing);
    if (endsAtSeconds > nowSeconds) throw new RateLimitHit(endsAtSeconds - nowSeconds);
    const begin = {
      kind: 'put',
      item: { ...key, attempts: 1, expiresAtSeconds },
      condition: isOver,
    } as const;
    // Refused when another attempt has just begun the window: then this one counts within it.
    if (!(await tryWrite(services, begin))) return;
  }
}

async function tryWrite(
  { table }: Services,
  write: Parameters<Table['write']>[0],
): Promise<ConditionFailed | undefined> {
  try {
    await table.write(write);
    return undefined;
  } catch (failure) {
    if (failure instanceof ConditionFailed) return failure;
    throw failure;
  }
}

const windowEnd = (item: Item | undefined): number => Number(item?.expiresAtSeconds ?? 0);

/** Begins anew after the right password. */
export async function forgetSignInAttempts(services: Services, email: string): Promise<void> {
  await services.table.write({ kind: 'delete', key: keys.signInFailures(email) });
}
