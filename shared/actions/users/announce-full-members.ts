import { findStandingKnowledge } from '#shared/actions/channels/channel-visibility.ts';
import type { Change } from '#shared/domain/change.ts';
import { peopleTurnWrite } from '#shared/domain/channels/visibility-revision.ts';
import { membersChanged } from '#shared/domain/user-groups/events.ts';
import { systemGroups } from '#shared/domain/user-groups/group-setting.ts';
import { systemGroupsOf } from '#shared/domain/user-groups/system-groups.ts';
import { asOf } from '#shared/domain/users/user.ts';
import { withFreshState } from '#shared/log/commit.ts';
import { commitWithEvents } from '#shared/log/commit-events.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { listUsers } from '#shared/store/users/users.ts';
import { readVisibilityRevision } from '#shared/store/visibility/visibility-revision.ts';
import { groupKeys } from '#shared/table/keys/groups.ts';

const HOUR_SECONDS = 3600;

/**
 * Announces once an hour which members became full members by age. Their rights do not wait for it. Without a
 * waiting period it costs only a read of the organization.
 */
export const announceFullMembers = (services: Services): Promise<void> =>
  withFreshState(services, () => announce(services));

async function announce(services: Services): Promise<void> {
  const { table, clock } = services;
  const { settings, createdAtSeconds } = await getOrganization(table);
  const waitingPeriodDays = settings.waiting_period_threshold;
  if (waitingPeriodDays === 0) return;
  const key = groupKeys.fullMembers();
  const visibilityRevision = await readVisibilityRevision(table);
  const announced = await table.find(key);
  const nowSeconds = toSeconds(clock.nowMs());
  const thenSeconds = Number(announced?.throughSeconds ?? createdAtSeconds);
  if (nowSeconds - thenSeconds < HOUR_SECONDS) return;
  const isFull = (user: Parameters<typeof systemGroupsOf>[0]): boolean =>
    systemGroupsOf(user, waitingPeriodDays).includes(systemGroups.fullMembers);
  const users = (await listUsers(table))
    .map((user) => asOf(user, nowSeconds))
    .filter((user) => isFull(user) && !isFull(asOf(user, thenSeconds)));
  const shown = await findStandingKnowledge(
    table,
    users.map((user) => ({ user, wasFull: false, isFull: true })),
  );
  const change: Change = {
    writes: [
      {
        kind: 'put',
        item: { ...key, throughSeconds: nowSeconds },
        condition: announced ? { equals: { throughSeconds: thenSeconds } } : { exists: false },
      },
      ...(users.length > 0 ? [peopleTurnWrite(visibilityRevision)] : []),
    ],
    events: membersChanged(
      { groupId: systemGroups.fullMembers, isDeactivated: false },
      'add_members',
      users.map(({ userId }) => userId),
    ),
  };
  await commitWithEvents(services, change, shown);
}
