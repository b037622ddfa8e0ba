import { hasCapability } from '../queue-filter.ts';
import type { Shaper } from '../shaping.ts';

/**
 * For clients without support for deactivated groups, deactivation removes a group: no further events, and it
 * is added when it is reactivated.
 */
export const shapeUserGroup: Shaper<'user_group'> = ({ beside = {}, ...payload }, { filter }) => {
  if (hasCapability(filter, 'include_deactivated_groups')) return [payload];
  const { isDeactivated, group } = beside;
  if (isDeactivated) return [];
  const { type } = payload;
  if (group) return [{ type, op: 'add', group }];
  const isEnd = payload.op === 'update' && payload.data.deactivated;
  return [isEnd ? { type, op: 'remove', group_id: payload.group_id } : payload];
};
