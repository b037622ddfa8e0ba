import type { Change } from '#shared/domain/change.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';
import { readNotifier } from '#shared/store/push/push-devices.ts';
import type { Table } from '#shared/table/table.ts';
import { isCall, isReading, isVanishing } from './readings.ts';

/** Whether any device exists; each function caches it for a while. */
const known = new WeakMap<Table, { hasDevices: boolean; untilMs: number }>();

/**
 * Wakes the worker that sends push notifications about a change. Costs nothing without a relay, and one read
 * per minute without devices. Best effort: the sweep wakes it too.
 */
export async function wakeNotifier(services: Services, change: Change, position: number): Promise<void> {
  if (
    !services.relay ||
    !(
      change.message ||
      change.events?.some((event) => isReading(event) || isVanishing(event) || isCall(event))
    )
  )
    return;
  try {
    if (await hasDevices(services)) await services.bus.wakeNotifier(position);
  } catch (failure) {
    logLine('warn', 'The notifier could not be woken; the sweep will', describeFailure(failure));
  }
}

async function hasDevices({ table, clock, config }: Services): Promise<boolean> {
  const nowMs = clock.nowMs();
  const remembered = known.get(table);
  if (remembered && nowMs < remembered.untilMs) return remembered.hasDevices;
  const { activeDevices = 0 } = await readNotifier(table, { eventually: true });
  known.set(table, { hasDevices: activeDevices > 0, untilMs: nowMs + config.pushMemoryMs });
  return activeDevices > 0;
}
