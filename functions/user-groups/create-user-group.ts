import * as z from 'zod/mini';
import { countCreation } from '#shared/actions/channels/count-within-day.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import {
  distinct,
  givenSettings,
  groupDescription,
  groupName,
  ids,
  newGroupSettings,
} from '#shared/api/contracts/user-groups.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { createGroup, creationChange, groupRoomWrite } from '#shared/domain/user-groups/create.ts';
import { requireFeasible } from '#shared/domain/user-groups/limits.ts';
import { checkSubgroups, checkUsers } from '#shared/domain/user-groups/members.ts';
import { checkGroupName } from '#shared/domain/user-groups/names.ts';
import { requireMayCreateGroups } from '#shared/domain/user-groups/permissions.ts';
import { requireValidSettings } from '#shared/domain/user-groups/valid-setting.ts';
import { commitWithAnswer } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { readGroupRoom } from '#shared/store/limits/room.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import {
  learnMemberships,
  listNamed,
  nextGroupId,
  requireFreeName,
} from '#shared/store/user-groups/groups.ts';
import { listUsersAmong } from '#shared/store/users/users.ts';
import { readGroupsSeen } from '#shared/store/visibility/groups-seen.ts';

/** Creates a user group with its members. */
export const createUserGroup = endpoint({
  route: 'POST /user_groups/create',
  summary: 'Create a user group',
  allow: 'member',
  creates: true,
  needs: ['createGroup'],
  params: {
    name: groupName,
    description: groupDescription,
    members: json(z.array(z.int()), 'The ids of its members'),
    subgroups: ids('The ids of its subgroups'),
    ...newGroupSettings,
  },
  result: z.object({ group_id: z.int() }),
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['user_group/add'],
  uses: { table: 'write' },
  async handle(params, { services, caller, retry }) {
    const { table } = services;
    const name = checkGroupName(params.name);
    const [members, subgroupIds] = [distinct(params.members), distinct(params.subgroups)];
    requireFeasible({ add: members, delete: [] }, subgroupIds);
    const settings = givenSettings(params);
    const seen = await readGroupsSeen(table);
    const organization = await getOrganization(table);
    await learnMemberships(table, caller, [organization.groups.can_create_groups]);
    requireMayCreateGroups(caller, organization.groups);
    const [users, knownGroups, knownSettings] = await Promise.all([
      listUsersAmong(table, members),
      listNamed(table, subgroupIds),
      listNamed(table, Object.values(settings)),
    ]);
    const memberIds = checkUsers(members, users);
    checkSubgroups(subgroupIds, knownGroups);
    requireValidSettings('group', settings, knownSettings);
    await requireFreeName(table, name);
    const room = groupRoomWrite(await readGroupRoom(table), services.config.recordLimits.userGroups);
    return countCreation(services, caller, 'USER_GROUPS', async () => {
      const group = createGroup({
        groupId: await nextGroupId(table),
        name,
        description: params.description,
        creatorId: caller.userId,
        nowSeconds: toSeconds(services.clock.nowMs()),
        subgroupIds: subgroupIds.sort((a, b) => a - b),
        settings,
      });
      const change = creationChange(group, memberIds, seen, room);
      return commitWithAnswer(services, retry, change, { group_id: group.groupId });
    });
  },
});

export const handler = lambda(createUserGroup, awsServices);
