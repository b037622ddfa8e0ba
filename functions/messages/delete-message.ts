import * as z from 'zod/mini';
import { deleteDirectChange, deleteFromChannelChange } from '#shared/actions/messages/delete-messages.ts';
import { getReadableMessage } from '#shared/actions/messages/readable-message.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { groupSettingsOf } from '#shared/domain/channels/permissions.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { requireMayDelete } from '#shared/domain/messages/delete.ts';
import { commit } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { learnMemberships } from '#shared/store/user-groups/groups.ts';
import { listUsersById } from '#shared/store/users/users.ts';

/** Deletes a message for all users, with its reactions and earlier texts. */
export const deleteMessage = endpoint({
  route: 'DELETE /messages/{message_id}',
  summary: 'Delete a message',
  allow: 'user',
  scope: 'organize',
  needs: ['readMessages', 'deleteAnyMessage'],
  params: { message_id: json(z.int(), 'The message') },
  result: nothing,
  errors: [BadRequest],
  emits: ['delete_message', 'stream/update', 'attachment/update'],
  uses: { table: 'write', areas: ['messages'], bus: true },
  async handle({ message_id: messageId }, { services, caller }) {
    const { table, clock } = services;
    const { message, view } = await getReadableMessage(services, caller, messageId);
    const organization = await getOrganization(table);
    await learnMemberships(table, caller, [
      organization.groups.can_delete_any_message_group,
      organization.groups.can_delete_own_message_group,
      ...(view ? groupSettingsOf(view.channel) : []),
    ]);
    const [sender] = await listUsersById(table, [message.senderId]);
    const nowSeconds = toSeconds(clock.nowMs());
    requireMayDelete(caller, { message, view, sender, organization, nowSeconds });
    const change =
      message.kind === 'direct'
        ? await deleteDirectChange(services, [message])
        : view && (await deleteFromChannelChange(services, view.channel, [message]));
    if (change) await commit(services, change);
    return {};
  },
});

export const handler = lambda(deleteMessage, awsServices);
