import type { Change } from '#shared/domain/change.ts';
import type { EventPayload } from '#shared/events/catalogue.ts';
import { keys } from '#shared/table/keys.ts';
import type { Condition, Write } from '#shared/table/table.ts';
import { type Organization, sightTurnsWith } from './organization.ts';
import { defaultOrganizationGroups, defaultOrganizationSettings } from './settings.ts';

type Properties = Record<string, unknown>;

/** Writes the organization as it shall be, provided that it is still the one that was seen; everybody hears of it. */
export function organizationChange(next: Organization, payloads: EventPayload[]): Change {
  const {
    name,
    description,
    descriptionHtml,
    settings,
    groups,
    domains = {},
    pictures = {},
    revision,
  } = next;
  return {
    writes: (position) => [
      {
        kind: 'update',
        key: keys.organization(),
        set: {
          name,
          description,
          descriptionHtml,
          domains,
          pictures,
          settings: differences(defaultOrganizationSettings, settings),
          groups: differences(defaultOrganizationGroups, groups),
          revision: revision + 1,
          ...(payloads.some(isSightSetting) && { sightTurns: sightTurnsWith(next, position) }),
        },
        condition: isUnchanged(next),
      },
    ],
    events: payloads.map((payload) => ({ audience: { kind: 'everyone' }, payload })),
  };
}

const isUnchanged = ({ revision }: Organization): Condition => ({
  exists: true,
  ...(revision === 0 ? { belowOrAbsent: { revision: 1 } } : { equals: { revision } }),
});

/** Fails when the organization's settings are not those that were read. */
export const unchangedOrganization = (organization: Organization): Write => ({
  kind: 'check',
  key: keys.organization(),
  condition: isUnchanged(organization),
});

/** Whether an event is about who sees everybody. */
const isSightSetting = ({ data }: EventPayload): boolean =>
  typeof data === 'object' && data !== null && 'can_access_all_users_group' in data;

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The properties that are not what they were. */
export const differences = (before: Properties, after: Properties): Properties =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSame(before[name], value)));
