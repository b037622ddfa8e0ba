import { RateLimitHit } from '#shared/domain/errors.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { CountLimit } from '#shared/runtime/config.ts';
import type { Services } from '#shared/runtime/services.ts';
import type { Key } from '#shared/table/keys/key.ts';
import { ConditionFailed, type Item, type Table } from '#shared/table/table.ts';

/**
 * Counts attempts before they are checked, so that parallel ones count too; the first one starts the window.
 * Usually one write.
 * @throws RateLimitHit when the limit is reached, until the window ends; refused attempts do not count
 */
export async function countWithin(
  services: Services,
  key: Key,
  { limit, windowSeconds }: CountLimit,
  attempts = 1,
): Promise<void> {
  if (attempts > limit) throw new RateLimitHit(windowSeconds);
  const nowSeconds = toSeconds(services.clock.nowMs());
  const expiresAtSeconds = nowSeconds + windowSeconds;
  const isOpen = {
    above: { expiresAtSeconds: nowSeconds },
    belowOrAbsent: { attempts: limit - attempts + 1 },
  };
  const isOver = { belowOrAbsent: { expiresAtSeconds: nowSeconds + 1 } };
  for (;;) {
    const count = { kind: 'update', key, add: { attempts }, condition: isOpen } as const;
    const refusal = await tryWrite(services, count);
    if (!refusal) return;
    const endsAtSeconds = windowEnd(refusal.existing);
    if (endsAtSeconds > nowSeconds) throw new RateLimitHit(endsAtSeconds - nowSeconds);
    const begin = { kind: 'put', item: { ...key, attempts, expiresAtSeconds }, condition: isOver } as const;
    // Refused if another attempt has just started the window; then this one counts within it.
    if (!(await tryWrite(services, begin))) return;
  }
}

/** Takes attempts back that changed nothing, as long as their window lasts. */
export async function uncount(services: Services, key: Key, attempts: number): Promise<void> {
  const nowSeconds = toSeconds(services.clock.nowMs());
  const condition = { above: { expiresAtSeconds: nowSeconds } };
  await tryWrite(services, { kind: 'update', key, add: { attempts: -attempts }, condition });
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
