import { channelNames, groupDescription, groupName } from '#shared/api/default-group-parameters.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { createDefaultGroup as decide } from '#shared/domain/channels/default-groups.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { commitWithAnswer } from '#shared/log/commit-with-answer.ts';
import { loadGroupMaking } from '#shared/log/default-groups.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';

/** Puts channels together that clients offer when they invite people. */
export const createDefaultGroup = endpoint({
  route: 'POST /default_stream_groups/create',
  summary: 'Create a default channel group',
  allow: 'administrator',
  creates: true,
  params: {
    group_name: text(groupName, 'What it is called'),
    description: text(groupDescription, 'What it is for'),
    stream_names: json(channelNames, 'The names of its channels'),
  },
  result: nothing,
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['default_stream_groups'],
  uses: { table: 'write' },
  async handle({ group_name: name, description, stream_names: names }, { services, retry }) {
    const { known, ...given } = await loadGroupMaking(services.table, names);
    return commitWithAnswer(services, retry, decide(known, { name, description, ...given }), {});
  },
});

export const handler = lambda(createDefaultGroup, awsServices);
