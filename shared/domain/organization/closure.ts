import type { Change } from '#shared/domain/change.ts';
import { REALM_ID } from '#shared/domain/uploads/upload.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';

/** Deactivates the organization and notifies all clients. No data is deleted. */
export const closureChange = (byUserId: number, atSeconds: number): Change => ({
  writes: [
    {
      kind: 'put',
      item: { ...organizationKeys.closure(), atSeconds, byUserId },
      condition: { exists: false },
    },
  ],
  events: [
    {
      audience: { kind: 'everyone' },
      payload: { type: 'realm', op: 'deactivated', realm_id: Number(REALM_ID) },
    },
  ],
});
