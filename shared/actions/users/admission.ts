import { groupSettingsOf, mayAddOthers, mayKnow } from '#shared/domain/channels/permissions.ts';
import { BadRequest, DeclaredError } from '#shared/domain/errors.ts';
import type { Admission } from '#shared/domain/invitations/invitation.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import { requireActive } from '#shared/domain/user-groups/deactivate.ts';
import { requireMayChangeMembers, settingsThatDecide } from '#shared/domain/user-groups/permissions.ts';
import type { User } from '#shared/domain/users/user.ts';
import { type ChannelViews, loadChannelViews } from '#shared/store/channels/channel-views.ts';
import { getMadeGroup, learnMemberships } from '#shared/store/user-groups/groups.ts';
import type { Table } from '#shared/table/table.ts';

/** A new user has no id yet. */
const NEWCOMER = 0;

/** @throws BadRequest for channels or groups to which the caller may not add people */
export async function requireMayBring(
  table: Table,
  caller: User,
  { channelIds, groupIds }: Admission,
  organization: Organization,
): Promise<void> {
  await requireMayBringIntoChannels(table, caller, channelIds, organization);
  for (const groupId of groupIds) await requireMayBringIntoGroup(table, caller, groupId, organization);
}

/** The admission without channels and groups to which the inviter may not add people any more. */
export async function withoutLostRights<Given extends Admission>(
  table: Table,
  inviter: User,
  admission: Given,
  organization: Organization,
): Promise<Given> {
  const views = await loadViews(table, inviter, admission.channelIds, organization);
  const channelIds = admission.channelIds.filter((channelId) => {
    const view = views.get(channelId);
    return view && mayKnow(inviter, view) && mayAddOthers(inviter, view, organization.groups);
  });
  const groupIds: number[] = [];
  for (const groupId of admission.groupIds)
    if (await mayBringIntoGroup(table, inviter, groupId, organization)) groupIds.push(groupId);
  return { ...admission, channelIds, groupIds };
}

async function mayBringIntoGroup(
  table: Table,
  inviter: User,
  groupId: number,
  organization: Organization,
): Promise<boolean> {
  try {
    await requireMayBringIntoGroup(table, inviter, groupId, organization);
    return true;
  } catch (failure) {
    if (failure instanceof DeclaredError) return false;
    throw failure;
  }
}

async function loadViews(
  table: Table,
  user: User,
  channelIds: number[],
  { groups }: Organization,
): Promise<ChannelViews> {
  const views: ChannelViews = new Map();
  await loadChannelViews(table, user.userId, views, channelIds);
  const named = [...views.values()].flatMap(({ channel }) => groupSettingsOf(channel));
  await learnMemberships(table, user, [groups.can_add_subscribers_group, ...named]);
  return views;
}

async function requireMayBringIntoChannels(
  table: Table,
  caller: User,
  channelIds: number[],
  organization: Organization,
): Promise<void> {
  const { groups } = organization;
  const views = await loadViews(table, caller, channelIds, organization);
  for (const channelId of channelIds) {
    const view = views.get(channelId);
    if (!view || view.channel.isArchived || !mayKnow(caller, view))
      throw new BadRequest(`Invalid channel ID ${channelId}. No invites were sent.`);
  }
  for (const view of views.values())
    if (!mayAddOthers(caller, view, groups))
      throw new BadRequest('You do not have permission to subscribe other users to channels.');
}

async function requireMayBringIntoGroup(
  table: Table,
  caller: User,
  groupId: number,
  { groups }: Organization,
): Promise<void> {
  const group = await getMadeGroup(table, groupId);
  requireActive(group);
  await learnMemberships(table, caller, settingsThatDecide(group, groups));
  const request = { add: [NEWCOMER], delete: [], addSubgroups: [], deleteSubgroups: [] };
  requireMayChangeMembers(caller, group, request, groups);
}
