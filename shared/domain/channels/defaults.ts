import type { Organization } from '#shared/domain/organization/organization.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Write } from '#shared/table/table.ts';

/** The channels that new accounts are subscribed to, ascending, and a revision counter. */
export interface Defaults {
  channelIds: number[];
  revision: number;
}

/** Sets of the table are in no order, and the colours of a new account's subscriptions follow this one. */
export const defaultsOf = (organization: Organization): Defaults => ({
  channelIds: [...(organization.defaultChannels ?? [])].sort((a, b) => a - b),
  revision: organization.defaultChannelsRevision ?? 0,
});

/** The condition that the default channels have not changed since they were read. */
export const unchangedDefaults = ({ revision }: Defaults) => ({
  belowOrAbsent: { defaultChannelsRevision: revision + 1 },
});

/** Adds and removes default channels; undefined when nothing changes. */
export function defaultChannelsChange(
  defaults: Defaults,
  { added = [], removed = [] }: { added?: number[]; removed?: number[] },
): { writes: Write[]; events: LogEvent[] } {
  const before = new Set(defaults.channelIds);
  const after = new Set([...defaults.channelIds, ...added].filter((id) => !removed.includes(id)));
  if (after.symmetricDifference(before).size === 0) return { writes: [], events: [] };
  return {
    writes: [
      {
        kind: 'update',
        key: organizationKeys.organization(),
        // DynamoDB has no empty sets.
        ...(after.size > 0 ? { set: { defaultChannels: after } } : { remove: ['defaultChannels'] }),
        add: { defaultChannelsRevision: 1 },
        condition: unchangedDefaults(defaults),
      },
    ],
    events: [
      {
        audience: { kind: 'members' },
        payload: { type: 'default_streams', default_streams: [...after].sort((a, b) => a - b) },
      },
    ],
  };
}
