import type { ReceivedEvent } from '../client.ts';
import type { Apply, SnapshotData } from './snapshot-data.ts';

const nothingKnown = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
};

function applyDevice({ devices }: SnapshotData, event: ReceivedEvent): void {
  const { id: _id, type: _type, op, device_id: deviceId, ...changed } = event;
  if (op === 'add') devices[deviceId] = nothingKnown;
  else if (op === 'remove') delete devices[deviceId];
  else devices[deviceId] = { ...devices[deviceId], ...changed };
}

export const deviceEvents: Record<string, Apply> = {
  device: applyDevice,
};
