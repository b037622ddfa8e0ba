import type { ReceivedEvent } from '../client.ts';
import type { Apply, SnapshotData } from './snapshot-data.ts';

/** Old clients keep presences by address, which they know from the event. */
function applyPresence(state: SnapshotData, { presences, presence, email }: ReceivedEvent): void {
  if (presences) {
    Object.assign(state.presences, presences);
    return;
  }
  const { pushable: _pushable, ...aggregated } = presence.website;
  state.presences[email] = { aggregated, website: presence.website };
}

function applyStatus(state: SnapshotData, event: ReceivedEvent): void {
  const { id: _id, type: _type, user_id, ...changed } = event;
  const status = { ...state.user_status[user_id], ...changed };
  if (status.status_text === '') delete status.status_text;
  if (status.emoji_name === '')
    for (const name of ['emoji_name', 'emoji_code', 'reaction_type']) delete status[name];
  if (status.away === false) delete status.away;
  if (Object.keys(status).length === 0) delete state.user_status[user_id];
  else state.user_status[user_id] = status;
}

/** Old clients know presences by the address that is shown. */
export function callPresenceBy({ presences }: SnapshotData, oldEmail: string, newEmail: string): void {
  if (!(oldEmail in presences)) return;
  presences[newEmail] = presences[oldEmail];
  delete presences[oldEmail];
}

/** Of deactivated users clients show neither. */
export function forgetPerson(state: SnapshotData, { user_id, email }: SnapshotData): void {
  delete state.user_status[user_id];
  delete state.presences[user_id];
  delete state.presences[email];
}

export const presenceEvents: Record<string, Apply> = {
  presence: applyPresence,
  user_status: applyStatus,
};
