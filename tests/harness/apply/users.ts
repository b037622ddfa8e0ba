import type { ReceivedEvent } from '../client.ts';
import type { Apply, SnapshotData } from './snapshot-data.ts';

function applyUser(state: SnapshotData, { person }: ReceivedEvent): void {
  state.realm_users = [...state.realm_users, person].sort((a, b) => a.user_id - b.user_id);
}

export const userEvents: Record<string, Apply> = {
  realm_user: applyUser,
};
