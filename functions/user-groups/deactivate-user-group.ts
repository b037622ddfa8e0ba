import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { nothing } from '#shared/api/schemas.ts';
import { userGroupId } from '#shared/api/user-group-parameters.ts';
import { BadRequest, CannotDeactivateGroupInUse, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { deactivationChange, requireActive } from '#shared/domain/groups/deactivate.ts';
import { requireMayManage, settingsThatDecide } from '#shared/domain/groups/permissions.ts';
import { commit } from '#shared/log/commit.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import { listChannels } from '#shared/store/channels.ts';
import { listGroupGraph, readGraphRevision } from '#shared/store/group-graph.ts';
import { getMadeGroup, learnMemberships } from '#shared/store/groups.ts';
import { getOrganization } from '#shared/store/organization.ts';

/** Deactivates a user group that nothing names. */
export const deactivateUserGroup = endpoint({
  route: 'POST /user_groups/{user_group_id}/deactivate',
  summary: 'Deactivate a user group',
  allow: 'member',
  needs: ['manageGroup'],
  params: { user_group_id: userGroupId },
  result: nothing,
  errors: [BadRequest, CannotDeactivateGroupInUse, UnauthorizedPrincipal],
  emits: ['user_group/update', 'user_group/remove'],
  uses: { table: 'write' },
  async handle(params, { services, caller }) {
    const { table } = services;
    const graphRevision = await readGraphRevision(table);
    const group = await getMadeGroup(table, params.user_group_id);
    requireActive(group);
    const organization = await getOrganization(table);
    await learnMemberships(table, caller, settingsThatDecide(group, organization.groups));
    requireMayManage(caller, group, organization.groups);
    const [channels, { groups }] = await Promise.all([listChannels(table), listGroupGraph(table)]);
    const namers = { groups: [...groups.values()], channels, organization: organization.groups };
    await commit(services, deactivationChange(group, namers, graphRevision));
    return {};
  },
});

export const handler = lambda(deactivateUserGroup, awsServices);
