import * as z from 'zod/mini';
import { editOwnSubscriptions } from '#shared/actions/channels/edit-own-subscriptions.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { readPropertyEdit } from '#shared/domain/subscriptions/properties.ts';

/** The limit of one transaction, and more than a person changes at once. */
const MAX_CHANNELS = 80;
const MAX_EDITS = 1000;

/** Changes properties of the caller's subscriptions; all or none. */
export const editSubscriptionProperties = endpoint({
  route: 'POST /users/me/subscriptions/properties',
  summary: 'Edit settings of own subscriptions',
  allow: 'user',
  scope: 'organize',
  needs: ['useOwn'],
  params: {
    subscription_data: json(
      z.array(
        z.object({ stream_id: z.int(), property: z.string(), value: z.union([z.boolean(), z.string()]) }),
      ),
      'Channels, each with a property and its value',
    ),
  },
  result: nothing,
  errors: [BadRequest],
  emits: ['subscription/update'],
  uses: { table: 'write' },
  async handle({ subscription_data }, { services, caller }) {
    const channels = new Set(subscription_data.map(({ stream_id: channelId }) => channelId));
    if (subscription_data.length > MAX_EDITS || channels.size > MAX_CHANNELS)
      throw new BadRequest(`Too many channels in one request (maximum ${MAX_CHANNELS}).`);
    const edits = subscription_data.map(({ stream_id: channelId, property, value }) =>
      readPropertyEdit({ channelId, property, value }),
    );
    await editOwnSubscriptions(services, caller, edits);
    return {};
  },
});

export const handler = lambda(editSubscriptionProperties, awsServices);
