import type { Beside } from '#shared/domain/user-groups/events.ts';
import { hasCapability } from '../queue-filter.ts';
import type { Shaper } from '../shaping.ts';

/**
 * For clients without support for deactivated groups, deactivation removes a group: no further events, and it
 * is added when it is reactivated.
 */
export const shapeUserGroup: Shaper = ({ beside = {}, ...payload }, { filter }) => {
  if (hasCapability(filter, 'include_deactivated_groups')) return [payload];
  const { isDeactivated, group } = beside as Beside;
  if (isDeactivated) return [];
  const { type } = payload;
  if (group) return [{ type, op: 'add', group }];
  const data = payload.data as { deactivated?: boolean } | undefined;
  return [data?.deactivated ? { type, op: 'remove', group_id: payload.group_id } : payload];
};
