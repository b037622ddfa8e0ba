import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { readStatusWishes, statusParameters } from '#shared/api/contracts/user-statuses.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { appearanceChange } from '#shared/domain/presence/switch.ts';
import { settingDifferences, settingEvents, settingWrites } from '#shared/domain/settings/change.ts';
import { effectiveSettings } from '#shared/domain/settings/user-settings.ts';
import { statusChange } from '#shared/domain/user-statuses/status.ts';
import { commit } from '#shared/log/commit.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { getAppearance } from '#shared/store/users/appearance.ts';
import { getChosenSettings } from '#shared/store/users/user-settings.ts';

/** Sets the caller's status, which all users see; empty texts delete it. */
export const setOwnStatus = endpoint({
  route: 'POST /users/me/status',
  summary: 'Update own status',
  allow: 'human',
  scope: 'organize',
  params: {
    ...statusParameters,
    away: optional(json(z.boolean(), 'Deprecated: the opposite of the setting `presence_enabled`')),
  },
  result: nothing,
  errors: [BadRequest],
  emits: ['user_status', 'user_settings/update', 'presence'],
  uses: { table: 'write' },
  async handle({ away, ...input }, { services, caller }) {
    const { table, clock } = services;
    const status = await readStatusWishes(table, input, away !== undefined);
    const chosen = await getChosenSettings(table, caller.userId);
    const appearance = await getAppearance(table, caller, await getOrganization(table));
    const wanted = away === undefined ? {} : { presence_enabled: !away };
    const differences = settingDifferences(effectiveSettings(caller, chosen), wanted);
    const isShown = differences.presence_enabled;
    const shown =
      isShown === undefined
        ? statusChange(appearance.status, status)
        : appearanceChange(caller, appearance, { isShown, status, nowMs: clock.nowMs() });
    const writes = [...settingWrites(caller.userId, chosen, differences), ...shown.writes];
    const events = [...settingEvents(caller.userId, differences), ...shown.events];
    if (writes.length > 0) await commit(services, { writes, events });
    return {};
  },
});

export const handler = lambda(setOwnStatus, awsServices);
