import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { presenceObject } from '#shared/api/contracts/presence.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { presenceOf } from '#shared/domain/presence/changes.ts';
import { toPresenceObject } from '#shared/domain/presence/record.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { getUserNamed } from '#shared/store/users/addresses.ts';
import { getSeenPresence } from '#shared/store/users/presences.ts';

/** A user's present or last presence. */
export const getPresence = endpoint({
  route: 'GET /users/{user_id_or_email}/presence',
  summary: "Get a user's presence",
  allow: 'user',
  scope: 'read',
  params: { user_id_or_email: text(z.string(), 'The user, by id or by an address that the caller may know') },
  result: z.object({ server_timestamp: z.number(), presence: presenceObject }),
  errors: [BadRequest],
  emits: [],
  uses: { table: 'read' },
  async handle({ user_id_or_email: named }, { services, caller }) {
    const { table, clock } = services;
    const user = await getUserNamed(table, caller, named);
    if (!user.isActive) throw new BadRequest('No such user');
    if (user.isBot) throw new BadRequest('Presence is not supported for bot users.');
    const [seen, { settings }] = await Promise.all([
      getSeenPresence(table, user.userId),
      getOrganization(table),
    ]);
    const presence = settings.presence_disabled ? undefined : presenceOf(seen);
    if (!presence) throw new BadRequest(`No presence data for ${named}`);
    const nowMs = clock.nowMs();
    return { server_timestamp: nowMs / 1000, presence: toPresenceObject(presence, toSeconds(nowMs)) };
  },
});

export const handler = lambda(getPresence, awsServices);
