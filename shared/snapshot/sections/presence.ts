import { toStatusRecord } from '#shared/domain/user-statuses/status.ts';
import { spectator } from '#shared/domain/users/user.ts';
import { isSeen } from '#shared/domain/users/visible-users.ts';
import { describePresences } from '#shared/snapshot/describe-presences.ts';
import { findVisibleUsersAt } from '#shared/snapshot/visible-users.ts';
import { listUserStatuses } from '#shared/store/users/user-statuses.ts';
import type { Section } from './section.ts';

/** Presences and statuses; nothing for anonymous callers. */
export const presenceSection: Section = async (loading) => {
  const [presences, statuses] = await Promise.all([
    loading.wants('presence') ? describePresencesOf(loading) : {},
    loading.wants('user_status') ? describeStatuses(loading) : {},
  ]);
  return { ...presences, ...statuses };
};

const describePresencesOf: Section = ({ services, request, organization, users }) =>
  describePresences(services, {
    viewer: request.caller,
    isSlim: request.filter.slimPresence,
    historyDays: request.presenceHistoryDays,
    lastUpdateId: -1,
    organization,
    users,
  });

const describeStatuses: Section = async ({ services, request, organization, position }) => {
  const visibleUsers = await findVisibleUsersAt(services.table, request.caller, position, organization);
  const statuses = request.caller.role === spectator.role ? [] : await listUserStatuses(services.table);
  const records = statuses
    .filter(({ userId }) => isSeen(visibleUsers, userId))
    .map((status) => [String(status.userId), toStatusRecord(status)] as const)
    .filter(([, record]) => Object.keys(record).length > 0);
  return { user_status: Object.fromEntries(records) };
};
