import type { Change } from '#shared/domain/change.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';
import { readNotifier } from '#shared/store/push-devices.ts';
import type { Table } from '#shared/table/table.ts';
import { isCall, isReading, isVanishing } from './readings.ts';

/** Whether anybody has a device, as each function remembers it for a while. */
const known = new WeakMap<Table, { hasDevices: boolean; untilMs: number }>();

/**
 * Tells the worker that notifies devices of a change that concerns them. Costs nothing without a relay, and a read a
 * minute without devices. Best effort: the sweep lets the worker look as well.
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
