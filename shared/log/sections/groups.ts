import { spectator } from '#shared/domain/users/user.ts';
import { hasCapability } from '#shared/events/queue-filter.ts';
import { describeGroups } from '../describe-groups.ts';
import type { Section } from './section.ts';

/**
 * Every user group; the deactivated ones for clients that know of such. Without an account, only those that every
 * organization has: what others are called and what they are for is the organization's own.
 */
export const groupSection: Section = async ({ services, request, wants, users, organization }) => {
  if (!wants('realm_user_groups')) return {};
  const includesDeactivated = hasCapability(request.filter, 'include_deactivated_groups');
  const all = await describeGroups(services, { includesDeactivated, users, organization });
  const isSpectator = request.caller.role === spectator.role;
  return { realm_user_groups: isSpectator ? all.filter((group) => group.is_system_group) : all };
};
