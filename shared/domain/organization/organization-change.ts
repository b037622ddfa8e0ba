import type { Change } from '#shared/domain/change.ts';
import type { EventPayload } from '#shared/events/catalogue.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Condition, Write } from '#shared/table/table.ts';
import { type Organization, visibilityTurnsWith } from './organization.ts';
import { defaultOrganizationGroups, defaultOrganizationSettings } from './settings.ts';

type Properties = Record<string, unknown>;

/**
 * Writes the organization's new state on condition that it has not changed since it was read; notifies all
 * users.
 */
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
        key: organizationKeys.organization(),
        set: {
          name,
          description,
          descriptionHtml,
          domains,
          pictures,
          settings: differences(defaultOrganizationSettings, settings),
          groups: differences(defaultOrganizationGroups, groups),
          revision: revision + 1,
          ...(payloads.some(isVisibilitySetting) && { sightTurns: visibilityTurnsWith(next, position) }),
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

/** A check that the organization's settings have not changed since they were read. */
export const unchangedOrganization = (organization: Organization): Write => ({
  kind: 'check',
  key: organizationKeys.organization(),
  condition: isUnchanged(organization),
});

/** Whether an event changes who may see all users. */
export const isVisibilitySetting = (payload: EventPayload): boolean =>
  payload.type === 'realm' && payload.op === 'update_dict' && 'can_access_all_users_group' in payload.data;

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The changed properties. */
export const differences = (before: Properties, after: Properties): Properties =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSame(before[name], value)));
