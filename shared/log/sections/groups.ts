import { hasCapability } from '#shared/events/queue-filter.ts';
import { describeGroups } from '../describe-groups.ts';
import type { Section } from './section.ts';

/** Every user group; the deactivated ones for clients that know of such. */
export const groupSection: Section = async ({ services, request, wants, users, organization }) => {
  if (!wants('realm_user_groups')) return {};
  const includesDeactivated = hasCapability(request.filter, 'include_deactivated_groups');
  return { realm_user_groups: await describeGroups(services, { includesDeactivated, users, organization }) };
};
