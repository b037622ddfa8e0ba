import { spectator } from '#shared/domain/users/user.ts';
import { hasCapability } from '#shared/events/queue-filter.ts';
import { describeGroups } from '#shared/snapshot/describe-groups.ts';
import type { Section } from './section.ts';

/**
 * All user groups; deactivated ones only for clients that support them. Anonymous callers get system groups
 * only, because names and descriptions of the others are internal.
 */
export const groupSection: Section = async ({ services, request, wants, users, organization }) => {
  if (!wants('realm_user_groups')) return {};
  const includesDeactivated = hasCapability(request.filter, 'include_deactivated_groups');
  const all = await describeGroups(services, { includesDeactivated, users, organization });
  const isSpectator = request.caller.role === spectator.role;
  return { realm_user_groups: isSpectator ? all.filter((group) => group.is_system_group) : all };
};
