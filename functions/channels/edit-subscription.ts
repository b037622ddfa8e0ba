import * as z from 'zod/mini';
import { editOwnSubscriptions } from '#shared/actions/channels/edit-own-subscriptions.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, jsonOrText, text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { readPropertyEdit } from '#shared/domain/subscriptions/properties.ts';

/** Changes one property of a subscription of the caller. */
export const editSubscription = endpoint({
  route: 'PATCH /users/me/subscriptions/{stream_id}',
  summary: 'Edit a setting of an own subscription',
  allow: 'user',
  scope: 'organize',
  needs: ['useOwn'],
  params: {
    stream_id: json(z.int(), 'The channel'),
    property: text(z.string(), 'The property to change'),
    value: jsonOrText(z.union([z.boolean(), z.string()]), 'The new value'),
  },
  result: nothing,
  errors: [BadRequest],
  emits: ['subscription/update'],
  uses: { table: 'write' },
  async handle({ stream_id: channelId, property, value }, { services, caller }) {
    await editOwnSubscriptions(services, caller, [readPropertyEdit({ channelId, property, value })]);
    return {};
  },
});

export const handler = lambda(editSubscription, awsServices);
