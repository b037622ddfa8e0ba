import * as z from 'zod/mini';
import { loadGroupMaking } from '#shared/actions/channels/default-groups.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { channelNames, groupId } from '#shared/api/contracts/default-channel-groups.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { addToDefaultGroup, takeFromDefaultGroup } from '#shared/domain/channels/default-groups.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { commit } from '#shared/log/commit.ts';

/** Adds channels to a default channel group, or removes some. */
export const editDefaultGroupChannels = endpoint({
  route: 'PATCH /default_stream_groups/{group_id}/streams',
  summary: 'Edit the channels of a default channel group',
  allow: 'administrator',
  params: {
    group_id: groupId,
    op: text(z.string(), 'Whether to `add` the channels or to `remove` them'),
    stream_names: json(channelNames, 'The names of the channels'),
  },
  result: nothing,
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['default_stream_groups'],
  uses: { table: 'write' },
  async handle({ group_id: id, op, stream_names: names }, { services }) {
    if (op !== 'add' && op !== 'remove')
      throw new BadRequest('Invalid value for "op". Specify one of "add" or "remove".');
    const { known, ...input } = await loadGroupMaking(services.table, names);
    const change =
      op === 'add' ? addToDefaultGroup(known, id, input) : takeFromDefaultGroup(known, id, input.channels);
    if (change) await commit(services, change);
    return {};
  },
});

export const handler = lambda(editDefaultGroupChannels, awsServices);
