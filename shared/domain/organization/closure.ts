import type { Change } from '#shared/domain/change.ts';
import { REALM_ID } from '#shared/domain/uploads/upload.ts';
import { organizationKeys } from '#shared/table/organization-keys.ts';

/** The organization is deactivated, and all clients hear of it. Nothing of it is removed. */
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
