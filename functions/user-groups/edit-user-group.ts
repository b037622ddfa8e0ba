import * as z from 'zod/mini';
import { activityTurn, findKnowledgeEvents } from '#shared/actions/channels/channel-visibility.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import {
  givenSettings,
  groupDescription,
  groupName,
  groupSettingEdits,
  userGroupId,
} from '#shared/api/contracts/user-groups.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, ExpectationMismatch, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { groupRoomWrite } from '#shared/domain/user-groups/create.ts';
import { applyEdit, editChange } from '#shared/domain/user-groups/edit.ts';
import { checkGroupName } from '#shared/domain/user-groups/names.ts';
import { requireMayManage, settingsThatDecide } from '#shared/domain/user-groups/permissions.ts';
import { newValues, requireValidSettings } from '#shared/domain/user-groups/valid-setting.ts';
import { commitWithEvents } from '#shared/log/commit-events.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { readGroupRoom } from '#shared/store/limits/room.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { listMemberIds } from '#shared/store/user-groups/group-members.ts';
import {
  getMadeGroup,
  learnMemberships,
  listNamed,
  requireFreeName,
} from '#shared/store/user-groups/groups.ts';
import { readGroupsSeen } from '#shared/store/visibility/groups-seen.ts';

/** Changes name, description and settings of a user group, or reactivates it. */
export const editUserGroup = endpoint({
  route: 'PATCH /user_groups/{user_group_id}',
  summary: 'Edit or reactivate a user group',
  allow: 'member',
  needs: ['manageGroup'],
  params: {
    user_group_id: userGroupId,
    name: optional(groupName),
    description: optional(groupDescription),
    ...groupSettingEdits,
    deactivated: optional(json(z.literal(false), 'A deactivated group comes back')),
  },
  result: nothing,
  errors: [BadRequest, ExpectationMismatch, UnauthorizedPrincipal],
  emits: ['user_group/update', 'user_group/add', 'stream/create', 'subscription/peer_add'],
  uses: { table: 'write' },
  async handle(params, { services, caller }) {
    const { table, clock, config } = services;
    const settings = givenSettings(params);
    const { description, deactivated } = params;
    const isEmpty = [params.name, description, deactivated].every((value) => value === undefined);
    if (isEmpty && Object.keys(settings).length === 0) throw new BadRequest('No new data supplied');
    const seen = await readGroupsSeen(table);
    const groupId = params.user_group_id;
    const [group, organization] = await Promise.all([getMadeGroup(table, groupId), getOrganization(table)]);
    await learnMemberships(table, caller, settingsThatDecide(group, organization.groups));
    requireMayManage(caller, group, organization.groups);
    const name = params.name === undefined ? undefined : checkGroupName(params.name);
    const values = newValues(settings);
    requireValidSettings('group', values, await listNamed(table, Object.values(values)));
    const edited = applyEdit(group, { name, description, settings, reactivates: deactivated === false });
    if (toCanonical(edited.name) !== toCanonical(group.name)) await requireFreeName(table, edited.name);
    const nowSeconds = toSeconds(clock.nowMs());
    const memberIds = group.isDeactivated
      ? await listMemberIds(table, groupId, { isDirect: true }, nowSeconds)
      : [];
    const returns = group.isDeactivated && !edited.isDeactivated;
    const limit = config.recordLimits.userGroups;
    const room = returns ? [groupRoomWrite(await readGroupRoom(table), limit)] : [];
    const change = editChange(group, edited, { memberIds, ...seen, room });
    const turn = activityTurn(group, false);
    const shown = returns ? await findKnowledgeEvents(table, turn, nowSeconds) : [];
    if (change) await commitWithEvents(services, change, shown);
    return {};
  },
});

export const handler = lambda(editUserGroup, awsServices);
