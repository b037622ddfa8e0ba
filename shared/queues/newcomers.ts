import type { Organization } from '#shared/domain/organization/organization.ts';
import { presenceOf, presenceUpdate } from '#shared/domain/presence/changes.ts';
import { isRecent } from '#shared/domain/presence/list.ts';
import { noStatus, wholeStatus } from '#shared/domain/user-statuses/status.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { PayloadOf } from '#shared/events/catalogue.ts';
import type { QueueFilter } from '#shared/events/queue-filter.ts';
import { wants } from '#shared/events/shape.ts';
import type { Newcomer } from '#shared/events/shaping.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listSeenPresences } from '#shared/store/users/presences.ts';
import { listUserStatusesAmong } from '#shared/store/users/user-statuses.ts';

/** The present data of users who become visible; reads only the fields that the queue requires. */
export async function loadNewcomers(
  services: Services,
  filter: QueueFilter,
  { settings }: Organization,
  users: User[],
): Promise<Newcomer[]> {
  const withPresence = settings.presence_disabled ? [] : users;
  const [statusOf, presenceFor] = await Promise.all([
    wants(filter, 'user_status') ? loadStatuses(services, users) : undefined,
    wants(filter, 'presence') ? loadPresences(services, withPresence) : undefined,
  ]);
  return users.map((user) => ({
    user,
    ...(statusOf && { status: wholeStatus(statusOf(user)) }),
    ...(presenceFor && { presence: presenceFor(user) }),
  }));
}

async function loadStatuses({ table }: Services, users: User[]) {
  const found = await listUserStatusesAmong(
    table,
    users.map(({ userId }) => userId),
  );
  const byUser = new Map(found.map((status) => [status.userId, status]));
  return ({ userId }: User) => byUser.get(userId) ?? noStatus(userId);
}

async function loadPresences({ table, clock }: Services, users: User[]) {
  const nowMs = clock.nowMs();
  const found = await listSeenPresences(
    table,
    users.map(({ userId }) => userId),
  );
  const seen = new Map(found.map((user) => [user.userId, presenceOf(user)]));
  return (user: User): PayloadOf<'presence'> | null => {
    const presence = seen.get(user.userId);
    const isTold = presence !== undefined && isRecent(presence, toSeconds(nowMs));
    return isTold ? presenceUpdate(user, presence, nowMs) : null;
  };
}
