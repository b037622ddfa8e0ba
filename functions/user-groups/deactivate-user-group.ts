import { activityTurn, findKnowledgeEvents } from '#shared/actions/channels/channel-visibility.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { userGroupId } from '#shared/api/contracts/user-groups.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { nothing } from '#shared/api/schemas.ts';
import { mayKnow } from '#shared/domain/channels/permissions.ts';
import { BadRequest, CannotDeactivateGroupInUse, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { deactivationChange, requireActive } from '#shared/domain/user-groups/deactivate.ts';
import { requireMayManage, settingsThatDecide } from '#shared/domain/user-groups/permissions.ts';
import { commitWithEvents } from '#shared/log/commit-events.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { listKnowableViews } from '#shared/store/channels/channels.ts';
import { findRoom } from '#shared/store/limits/room.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { listGroupGraph } from '#shared/store/user-groups/group-graph.ts';
import { getMadeGroup, learnMemberships } from '#shared/store/user-groups/groups.ts';
import { readGroupsSeen } from '#shared/store/visibility/groups-seen.ts';
import { roomKeys } from '#shared/table/keys/limits.ts';

/** Deactivates a user group that nothing uses. */
export const deactivateUserGroup = endpoint({
  route: 'POST /user_groups/{user_group_id}/deactivate',
  summary: 'Deactivate a user group',
  allow: 'member',
  needs: ['manageGroup'],
  params: { user_group_id: userGroupId },
  result: nothing,
  errors: [BadRequest, CannotDeactivateGroupInUse, UnauthorizedPrincipal],
  emits: ['user_group/update', 'user_group/remove', 'stream/delete'],
  uses: { table: 'write' },
  async handle(params, { services, caller }) {
    const { table, clock } = services;
    const seen = await readGroupsSeen(table);
    const group = await getMadeGroup(table, params.user_group_id);
    requireActive(group);
    const organization = await getOrganization(table);
    await learnMemberships(table, caller, settingsThatDecide(group, organization.groups));
    requireMayManage(caller, group, organization.groups);
    const [views, { groups }] = await Promise.all([listKnowableViews(table, caller), listGroupGraph(table)]);
    const channels = views.map((view) => ({ channel: view.channel, isKnown: mayKnow(caller, view) }));
    const namers = { groups: [...groups.values()], channels, organization: organization.groups };
    const change = deactivationChange(group, namers, seen, await findRoom(table, roomKeys.userGroups()));
    const hidden = await findKnowledgeEvents(table, activityTurn(group, true), toSeconds(clock.nowMs()));
    await commitWithEvents(services, change, hidden);
    return {};
  },
});

export const handler = lambda(deactivateUserGroup, awsServices);
