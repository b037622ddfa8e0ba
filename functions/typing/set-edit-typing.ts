import * as z from 'zod/mini';
import { getReadableMessage } from '#shared/actions/messages/readable-message.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { requireMayEditContent } from '#shared/domain/messages/editing/edit-content.ts';
import { editTypingChange, requireShowsTyping, typingOps } from '#shared/domain/messages/typing.ts';
import { commit } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { getUserSettings } from '#shared/store/users/user-settings.ts';

/** Notifies users who have a message of the caller that the caller starts or stops editing it. */
export const setEditTyping = endpoint({
  route: 'POST /messages/{message_id}/typing',
  summary: 'Report that the caller edits a message',
  allow: 'user',
  scope: 'send',
  needs: ['useOwn', 'readMessages'],
  params: {
    message_id: json(z.int(), 'The message'),
    op: text(z.enum(typingOps), 'Whether the caller starts or stops editing'),
  },
  result: nothing,
  errors: [BadRequest],
  emits: ['typing_edit_message/start', 'typing_edit_message/stop'],
  uses: { table: 'write', areas: ['messages'] },
  async handle({ message_id: messageId, op }, { services, caller }) {
    const { message, view } = await getReadableMessage(services, caller, messageId);
    const { settings } = await getOrganization(services.table);
    requireMayEditContent(caller, message, view, {
      settings,
      nowSeconds: toSeconds(services.clock.nowMs()),
    });
    requireShowsTyping(await getUserSettings(services.table, caller), message.kind);
    const change = editTypingChange(caller, message, view, op);
    if (change) await commit(services, change);
    return {};
  },
});

export const handler = lambda(setEditTyping, awsServices);
