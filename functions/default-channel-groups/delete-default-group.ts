import { awsServices } from '#shared/adapters/aws-services.ts';
import { groupId } from '#shared/api/contracts/default-channel-groups.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { nothing } from '#shared/api/schemas.ts';
import { deleteDefaultGroup as decide } from '#shared/domain/channels/default-groups.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { commit } from '#shared/log/commit.ts';
import { getDefaultGroups } from '#shared/store/channels/default-groups.ts';

/** Removes a default channel group; its channels stay. */
export const deleteDefaultGroup = endpoint({
  route: 'DELETE /default_stream_groups/{group_id}',
  summary: 'Delete a default channel group',
  allow: 'administrator',
  params: { group_id: groupId },
  result: nothing,
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['default_stream_groups'],
  uses: { table: 'write' },
  async handle({ group_id: id }, { services }) {
    await commit(services, decide(await getDefaultGroups(services.table), id));
    return {};
  },
});

export const handler = lambda(deleteDefaultGroup, awsServices);
