import type { Change } from '#shared/domain/change.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import type { Job } from '#shared/domain/jobs.ts';
import { REALM_ID } from '#shared/domain/uploads/upload.ts';
import { isOwner, type User } from '#shared/domain/users/user.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';

const DAY_SECONDS = 24 * 3600;
/** Ten years. A deployment is not expected to erase anything later. */
const MAX_DELETION_DELAY_DAYS = 3650;

/**
 * The time from which the data of a deactivated organization is erased; undefined if it is kept permanently.
 * @throws BadRequest for a delay that is out of bounds
 */
export function erasureTime(delayDays: number | null, nowSeconds: number): number | undefined {
  if (delayDays === null || delayDays === 0) return undefined;
  if (delayDays < 0) throw new BadRequest('Data deletion time must be at least 1 day in the future.');
  if (delayDays > MAX_DELETION_DELAY_DAYS)
    throw new BadRequest(`Data deletion time must be at most ${MAX_DELETION_DELAY_DAYS} days in the future.`);
  return nowSeconds + delayDays * DAY_SECONDS;
}

interface Closing {
  byUserId: number;
  atSeconds: number;
  /** The data is kept permanently without it. */
  eraseAtSeconds: number | undefined;
  jobs: Job[];
}

/** Deactivates the organization and notifies all clients. */
export const closureChange = ({ jobs, ...closure }: Closing): Change => ({
  writes: [
    {
      kind: 'put',
      item: { ...organizationKeys.closure(), ...closure },
      condition: { exists: false },
    },
  ],
  events: [
    {
      audience: { kind: 'everyone' },
      payload: { type: 'realm', op: 'deactivated', realm_id: Number(REALM_ID) },
    },
  ],
  jobs,
});

/** The job that mails the owners the date of the deletion, one owner in each step. */
export function deletionNotice(users: User[], byUserId: number, eraseAtSeconds: number): Job {
  const owners = users.filter((user) => isOwner(user) && user.isActive && !user.isBot);
  return {
    type: 'mail-organization-deletion',
    payload: { byUserId, eraseAtSeconds },
    steps: owners.map(({ userId }) => userId),
  };
}
