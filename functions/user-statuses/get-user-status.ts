import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { emojiTypes } from '#shared/domain/emoji/emoji-type.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { requireStatusOwner, toStatusRecord } from '#shared/domain/user-statuses/status.ts';
import { getUserStatus as findStatus } from '#shared/store/users/user-statuses.ts';
import { getSeenUser } from '#shared/store/visibility/visible-users.ts';

/** A user's status. */
export const getUserStatus = endpoint({
  route: 'GET /users/{user_id}/status',
  summary: "Get a user's status",
  allow: 'user',
  scope: 'read',
  params: { user_id: json(z.int(), 'The user') },
  result: z.object({
    status: z.strictObject({
      status_text: z.optional(z.string()),
      emoji_name: z.optional(z.string()),
      emoji_code: z.optional(z.string()),
      reaction_type: z.optional(z.enum(emojiTypes)),
      away: z.optional(z.literal(true)),
    }),
  }),
  errors: [BadRequest],
  emits: [],
  uses: { table: 'read' },
  async handle({ user_id: userId }, { services, caller }) {
    requireStatusOwner(await getSeenUser(services.table, caller, userId));
    return { status: toStatusRecord(await findStatus(services.table, userId)) };
  },
});

export const handler = lambda(getUserStatus, awsServices);
