import type { Organization } from '#shared/domain/organization/organization.ts';
import { type GroupRecord, toGroupRecord } from '#shared/domain/user-groups/group.ts';
import { systemGroupRecords } from '#shared/domain/user-groups/system-groups.ts';
import { asOf, type User } from '#shared/domain/users/user.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listGroupGraph } from '#shared/store/user-groups/group-graph.ts';

interface Circumstances {
  includesDeactivated: boolean;
  users: () => Promise<User[]>;
  organization: () => Promise<Organization>;
}

/** The records of all groups, ascending by id: system groups, then custom groups. */
export async function describeGroups(
  { table, clock }: Services,
  { includesDeactivated, users, ...given }: Circumstances,
): Promise<GroupRecord[]> {
  const [organization, allUsers, { groups, members }] = await Promise.all([
    given.organization(),
    users(),
    listGroupGraph(table),
  ]);
  const nowSeconds = toSeconds(clock.nowMs());
  const current = allUsers.map((user) => asOf(user, nowSeconds));
  const isActive = new Set(current.filter((user) => user.isActive).map(({ userId }) => userId));
  const shown = [...groups.values()].filter(({ isDeactivated }) => includesDeactivated || !isDeactivated);
  return [
    ...systemGroupRecords(current, {
      waitingPeriodDays: organization.settings.waiting_period_threshold,
      createdAtSeconds: organization.createdAtSeconds,
    }),
    ...shown.map((group) => {
      const memberIds = [...(members.get(group.groupId) ?? [])].filter((id) => isActive.has(id));
      return toGroupRecord(
        group,
        memberIds.sort((a, b) => a - b),
      );
    }),
  ];
}
