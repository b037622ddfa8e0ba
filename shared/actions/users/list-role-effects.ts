import { groupSettingsOf } from '#shared/domain/channels/permissions.ts';
import { channelEffects } from '#shared/domain/channels/role-effects.ts';
import { standingEvents } from '#shared/domain/user-groups/standing.ts';
import type { Role, User } from '#shared/domain/users/user.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { listChannels } from '#shared/store/channels/channels.ts';
import { getDefaultGroups } from '#shared/store/channels/default-groups.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { learnMemberships } from '#shared/store/user-groups/groups.ts';
import type { Table } from '#shared/table/table.ts';

/** The events for a user whose role changes: groups, and channels that become visible or hidden. */
export async function listRoleEffects(table: Table, target: User, role: Role): Promise<LogEvent[]> {
  if (!target.isActive) return [];
  const [channels, organization, groups] = await Promise.all([
    listChannels(table),
    getOrganization(table),
    getDefaultGroups(table),
  ]);
  const { memberships: _memberships, ...user } = target;
  const [before, after]: [User, User] = [{ ...user }, { ...user, role }];
  const settings = channels.flatMap(groupSettingsOf);
  await learnMemberships(table, before, settings);
  await learnMemberships(table, after, settings);
  const waitingPeriodDays = organization.settings.waiting_period_threshold;
  return [
    ...standingEvents(target.userId, before, after, { waitingPeriodDays }),
    ...channelEffects(before, after, channels, {
      channelIds: [...(organization.defaultChannels ?? [])],
      groups,
    }),
  ];
}
