import { toStatusRecord } from '#shared/domain/statuses/status.ts';
import { isSeen } from '#shared/domain/users/sight.ts';
import { spectator } from '#shared/domain/users/user.ts';
import { listUserStatuses } from '#shared/store/user-statuses.ts';
import { describePresences } from '../describe-presences.ts';
import { findSightAt } from '../sight.ts';
import type { Section } from './section.ts';

/** Who is there, and what people say of themselves; nothing of that to somebody without an account. */
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
  const sight = await findSightAt(services.table, request.caller, position, organization);
  const statuses = request.caller.role === spectator.role ? [] : await listUserStatuses(services.table);
  const records = statuses
    .filter(({ userId }) => isSeen(sight, userId))
    .map((status) => [String(status.userId), toStatusRecord(status)] as const)
    .filter(([, record]) => Object.keys(record).length > 0);
  return { user_status: Object.fromEntries(records) };
};
