import * as z from 'zod/mini';
import { takeReport } from '#shared/actions/presence/report-presence.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { presences } from '#shared/api/contracts/presence.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional, text, withDefault } from '#shared/api/parameters.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { DEFAULT_HISTORY_DAYS } from '#shared/domain/presence/list.ts';
import type { ReportedStatus } from '#shared/domain/presence/presence.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { describePresences } from '#shared/snapshot/describe-presences.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { listUsers, rememberActive } from '#shared/store/users/users.ts';

/** Reports the presence of a client's user and returns the presence of others. */
export const updatePresence = endpoint({
  route: 'POST /users/me/presence',
  summary: 'Update own presence',
  allow: 'human',
  scope: 'organize',
  isFrequent: true,
  params: {
    status: text(z.string(), '`active` while the user does something, else `idle`'),
    new_user_input: withDefault(
      json(z.boolean(), 'Whether the user was active since the last report'),
      false,
    ),
    ping_only: withDefault(
      json(z.boolean(), 'Whether the client only reports, without presences of others'),
      false,
    ),
    slim_presence: withDefault(json(z.boolean(), 'Presence is keyed by user id, in the modern form'), false),
    last_update_id: optional(
      json(
        z.int().check(z.minimum(-1)),
        'The `presence_last_update_id` of the last reply, -1 at first: only what changed since is returned, as with `slim_presence`',
      ),
    ),
    history_limit_days: withDefault(
      json(
        z.int().check(z.minimum(0)),
        'Days of presences to return to a client without presences; 0 for no presences',
      ),
      DEFAULT_HISTORY_DAYS,
    ),
  },
  result: z.object({
    presences: z.optional(presences),
    presence_last_update_id: z.optional(z.int()),
    server_timestamp: z.optional(z.number()),
  }),
  errors: [BadRequest],
  emits: ['presence'],
  uses: { table: 'write', areas: ['accounts'] },
  async handle(params, { services, caller }) {
    const { table, clock } = services;
    const organization = await getOrganization(table);
    await takeReport(services, caller, readStatus(params.status), organization);
    if (params.new_user_input) await rememberActive(table, caller, toSeconds(clock.nowMs()));
    if (params.ping_only) return {};
    return describePresences(services, {
      viewer: caller,
      isSlim: params.slim_presence || params.last_update_id !== undefined,
      historyDays: params.history_limit_days,
      lastUpdateId: params.last_update_id ?? -1,
      organization: async () => organization,
      users: () => listUsers(table),
    });
  },
});

export const handler = lambda(updatePresence, awsServices);

function readStatus(input: string): ReportedStatus {
  if (input !== 'active' && input !== 'idle') throw new BadRequest(`Invalid status: ${input}`);
  return input;
}
