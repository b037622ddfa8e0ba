import type { ReceivedEvent } from '../client.ts';
import type { Apply, SnapshotData } from './snapshot-data.ts';

/** The latest edit comes first; of one second the newer draft. */
const latestFirst = (a: SnapshotData, b: SnapshotData): number => b.timestamp - a.timestamp || b.id - a.id;

function applyDrafts(state: SnapshotData, event: ReceivedEvent): void {
  const changed = event.drafts ?? (event.draft ? [event.draft] : []);
  const gone = [event.draft_id, ...changed.map(({ id }: SnapshotData) => id)];
  const rest = state.drafts.filter(({ id }: SnapshotData) => !gone.includes(id));
  state.drafts = [...rest, ...changed].sort(latestFirst);
}

/** Who ceases to synchronize drafts has none at the service any more; those of the client are its own affair. */
export function forgetDrafts(state: SnapshotData): void {
  if (state.user_settings?.enable_drafts_synchronization === false && state.drafts) state.drafts = [];
}

export const draftEvents: Record<string, Apply> = { drafts: applyDrafts };
