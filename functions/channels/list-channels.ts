import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, withDefault } from '#shared/api/parameters.ts';
import { channelRecord } from '#shared/api/schemas.ts';
import { toChannelRecord } from '#shared/domain/channels/channel.ts';
import { selectChannels } from '#shared/domain/channels/select.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { isAdministrator } from '#shared/domain/users/user.ts';
import { listChannelViews, listKnowableViews } from '#shared/store/channels/channels.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';

const yesOrNo = (fallback: boolean, description: string) =>
  withDefault(json(z.boolean(), description), fallback);

/** The channels visible to the caller, by kind. */
export const listChannels = endpoint({
  route: 'GET /streams',
  summary: 'List channels',
  allow: 'user',
  scope: 'read',
  obeysChannels: true,
  params: {
    include_public: yesOrNo(true, 'Public channels'),
    include_web_public: yesOrNo(false, 'Web-public channels'),
    include_subscribed: yesOrNo(true, 'Channels that the caller is subscribed to'),
    exclude_archived: yesOrNo(true, 'Leaves archived channels out'),
    include_all: yesOrNo(false, 'Every channel; administrators only'),
    include_all_active: yesOrNo(false, 'Deprecated: the same as `include_all`'),
    include_default: yesOrNo(false, 'Whether to return `is_default` for each channel'),
    include_owner_subscribed: yesOrNo(false, 'For a bot: channels that its owner is subscribed to'),
    include_can_access_content: yesOrNo(false, 'Channels whose messages the caller may read'),
  },
  result: z.object({ streams: z.array(z.extend(channelRecord, { is_default: z.optional(z.boolean()) })) }),
  errors: [BadRequest],
  emits: [],
  uses: { table: 'read' },
  async handle(params, { services, caller }) {
    const { table } = services;
    const isAll = params.include_all || params.include_all_active;
    if (isAll && !isAdministrator(caller)) throw new BadRequest('User not authorized for this query');
    const ownerId = params.include_owner_subscribed ? caller.botOwnerId : null;
    const [views, ownerViews, { defaultChannels }] = await Promise.all([
      listKnowableViews(table, caller),
      ownerId === null ? [] : listChannelViews(table, ownerId),
      getOrganization(table),
    ]);
    const selected = selectChannels(caller, views, ownerViews, {
      public: params.include_public,
      webPublic: params.include_web_public,
      subscribed: params.include_subscribed,
      all: isAll,
      readable: params.include_can_access_content,
      archived: !params.exclude_archived,
    });
    const streams = selected.map((channel) => ({
      ...toChannelRecord(channel),
      ...(params.include_default && { is_default: defaultChannels?.has(channel.channelId) ?? false }),
    }));
    return { streams };
  },
});

export const handler = lambda(listChannels, awsServices);
