import { botRecordsFor } from '#shared/domain/users/bot-record.ts';
import { describeUsers } from '#shared/domain/users/register-data.ts';
import { hasCapability } from '#shared/events/queue-filter.ts';
import { findVisibleUsersAt } from '#shared/snapshot/visible-users.ts';
import { learnMemberships } from '#shared/store/user-groups/groups.ts';
import type { Section } from './section.ts';

/** All users, and the caller's own role and permissions. */
export const userSection: Section = async (loading) => {
  const { request, wants, users } = loading;
  return {
    ...(wants('realm_bot') && { realm_bots: botRecordsFor(request.caller, await users()) }),
    ...(wants('realm_user') && (await describeEverybody(loading))),
  };
};

const describeEverybody: Section = async (loading) => {
  const { services, request, users, organization: find } = loading;
  const { caller, filter } = request;
  const { groups: organization, settings } = await find();
  await learnMemberships(services.table, caller, [
    organization.can_create_private_channel_group,
    organization.can_create_public_channel_group,
    organization.can_create_web_public_channel_group,
    organization.can_invite_users_group,
  ]);
  return describeUsers(caller, await users(), {
    clientGravatar: filter.clientGravatar,
    organization,
    visibleUsers: await findVisibleUsersAt(services.table, caller, loading.position, find),
    knowsIncompleteLists: hasCapability(filter, 'user_list_incomplete'),
    allowsWebPublic: services.config.webPublicChannels && settings.enable_spectator_access,
  });
};
