import { loadGroupMaking } from '#shared/actions/channels/default-groups.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { channelNames, groupDescription, groupName } from '#shared/api/contracts/default-channel-groups.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { createDefaultGroup as decide } from '#shared/domain/channels/default-groups.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { commitWithAnswer } from '#shared/log/commit.ts';

/** Creates a group of channels that clients offer when inviting people. */
export const createDefaultGroup = endpoint({
  route: 'POST /default_stream_groups/create',
  summary: 'Create a default channel group',
  allow: 'administrator',
  creates: true,
  params: {
    group_name: text(groupName, 'Its name'),
    description: text(groupDescription, 'A description'),
    stream_names: json(channelNames, 'The names of its channels'),
  },
  result: nothing,
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['default_stream_groups'],
  uses: { table: 'write' },
  async handle({ group_name: name, description, stream_names: names }, { services, retry }) {
    const { known, ...input } = await loadGroupMaking(services.table, names);
    return commitWithAnswer(services, retry, decide(known, { name, description, ...input }), {});
  },
});

export const handler = lambda(createDefaultGroup, awsServices);
