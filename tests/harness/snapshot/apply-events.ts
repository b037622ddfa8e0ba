import type { ReceivedEvent } from '#tests/harness/client.ts';
import type { WireEvent } from '#web/state/wire-events.ts';
import { isKnownType, applyEvents as reduce } from '../../../web/state/apply.ts';
import { stateOf } from '../../../web/state/state.ts';
import type { Snapshot } from '../../../web/state/wire.ts';
import type { SnapshotData } from './snapshot-data.ts';

/**
 * The state that the web client computes from a reply of register and events: its own reducer. So the snapshot check
 * judges the service and the client by each other.
 */
export function applyEvents(snapshot: SnapshotData, events: ReceivedEvent[]): SnapshotData {
  const stranger = events.find(({ type }) => !isKnownType(type));
  if (stranger) throw new Error(`No client knows what to do with ${stranger.type}`);
  return { ...reduce(stateOf(snapshot as Snapshot), events as WireEvent[]).server };
}
