import { awsServices } from '#shared/adapters/aws-services.ts';
import { groupDescription, groupId, groupName } from '#shared/api/contracts/default-channel-groups.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { optional, text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { editDefaultGroup as decide } from '#shared/domain/channels/default-groups.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { commit } from '#shared/log/commit.ts';
import { getDefaultGroups } from '#shared/store/channels/default-groups.ts';

/** Renames a default channel group, or changes its description. */
export const editDefaultGroup = endpoint({
  route: 'PATCH /default_stream_groups/{group_id}',
  summary: 'Edit a default channel group',
  allow: 'administrator',
  params: {
    group_id: groupId,
    new_group_name: optional(text(groupName, 'The new name')),
    new_description: optional(text(groupDescription, 'A description')),
  },
  result: nothing,
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['default_stream_groups'],
  uses: { table: 'write' },
  async handle({ group_id: id, new_group_name: name, new_description: description }, { services }) {
    if (name === undefined && description === undefined)
      throw new BadRequest('You must pass "new_description" or "new_group_name".');
    const change = decide(await getDefaultGroups(services.table), id, { name, description });
    if (change) await commit(services, change);
    return {};
  },
});

export const handler = lambda(editDefaultGroup, awsServices);
