import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { userRecord } from '#shared/api/schemas.ts';
import { toUserRecord } from '#shared/domain/users/record.ts';
import { listSubscriptions } from '#shared/store/channels/subscriptions.ts';
import { readCounter } from '#shared/store/log/log.ts';
import { findNewestMessageId } from '#shared/store/reading/inbox.ts';
import { getUser } from '#shared/store/users/users.ts';

/** The caller, with profile data and the id of the newest message that they received. */
export const getOwnUser = endpoint({
  route: 'GET /users/me',
  summary: 'Get own user',
  allow: 'user',
  scope: 'read',
  obeysChannels: true,
  params: {},
  result: z.extend(userRecord, { max_message_id: z.int() }),
  errors: [],
  emits: [],
  uses: { table: 'read', areas: ['messages'] },
  async handle(_params, { services, caller }) {
    const { table } = services;
    const [user, subscriptions, upTo] = await Promise.all([
      getUser(table, caller.userId),
      listSubscriptions(table, caller.userId),
      readCounter(table),
    ]);
    const byChannel = new Map(subscriptions.map((subscription) => [subscription.channelId, subscription]));
    const receiver = { user: caller, subscriptions: byChannel };
    return {
      ...toUserRecord(user, { viewer: caller, clientGravatar: false, withProfileData: true }),
      max_message_id: await findNewestMessageId(table, receiver, upTo),
    };
  },
});

export const handler = lambda(getOwnUser, awsServices);
