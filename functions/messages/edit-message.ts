import * as z from 'zod/mini';
import { getReadableMessage, type Readable } from '#shared/actions/messages/readable-message.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { requireScope } from '#shared/api/auth/access.ts';
import { attachmentRecord } from '#shared/api/contracts/attachments.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional, text as plain, withAlias, withDefault } from '#shared/api/parameters.ts';
import { BadRequest, ExpectationMismatch } from '#shared/domain/errors.ts';
import {
  readEditedContent,
  requireExpected,
  requireMayEditContentNow,
} from '#shared/domain/messages/editing/edit-content.ts';
import type { EditedText } from '#shared/domain/messages/editing/edit-request.ts';
import {
  isMovedToItsPlace,
  propagateModes,
  readEditRequest,
} from '#shared/domain/messages/editing/edit-request.ts';
import {
  ChannelWildcardNotAllowed,
  MoveMessagesTimeLimitExceeded,
  TopicWildcardNotAllowed,
} from '#shared/domain/messages/errors.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import type { User } from '#shared/domain/users/user.ts';
import { commit } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';

const yesOrNo = (fallback: boolean, description: string) =>
  withDefault(json(z.boolean(), description), fallback);

/** Changes the text of a message, and moves it, alone or with others, to another topic or channel. */
export const editMessage = endpoint({
  route: 'PATCH /messages/{message_id}',
  summary: 'Edit a message',
  allow: 'user',
  scope: ['send', 'organize'],
  obeysChannels: true,
  needs: ['readMessages', 'editContent'],
  params: {
    message_id: json(z.int(), 'The message'),
    content: optional(plain(z.string(), 'Its new Markdown source; an empty one removes the text')),
    prev_content_sha256: optional(
      plain(z.string(), 'The SHA-256 of the source that the client edited, as hexadecimal digits'),
    ),
    topic: withAlias(optional(plain(z.string(), 'The new topic')), 'subject'),
    stream_id: optional(json(z.int(), 'The new channel')),
    propagate_mode: withDefault(
      plain(z.enum(propagateModes), 'Whether later messages of the topic, or all of them, go with it'),
      'change_one',
    ),
    send_notification_to_old_thread: yesOrNo(false, 'Whether the old topic gets a notice with the new place'),
    send_notification_to_new_thread: yesOrNo(true, 'Whether the new topic gets a notice with the old place'),
  },
  result: z.object({ detached_uploads: z.array(attachmentRecord) }),
  errors: [
    BadRequest,
    ChannelWildcardNotAllowed,
    ExpectationMismatch,
    MoveMessagesTimeLimitExceeded,
    TopicWildcardNotAllowed,
  ],
  emits: [
    'attachment/update',
    'update_message',
    'update_message_flags/add',
    'delete_message',
    'stream/update',
    'message',
    'user_topic',
    'muted_topics',
  ],
  uses: { table: 'write', areas: ['messages', 'drafts', 'scheduled', 'uploads'], bus: true },
  timeoutSeconds: 29,
  memoryMegabytes: 1024,
  async handle(params, { services, caller }) {
    const { table, clock } = services;
    if (params.content !== undefined) requireScope(caller, 'send');
    if (params.topic !== undefined || params.stream_id !== undefined) requireScope(caller, 'organize');
    const readable = await getReadableMessage(services, caller, params.message_id);
    const { message, view } = readable;
    const input = {
      content: params.content,
      topic: params.topic,
      channelId: params.stream_id,
      mode: params.propagate_mode,
    };
    if (isMovedToItsPlace(message, input)) {
      const { finishMoveOf } = await import('#shared/actions/messages/move-rest.ts');
      await finishMoveOf(services, message);
    }
    const { topic, channelId, mode, content } = readEditRequest(message, input);
    const organization = await getOrganization(table);
    const timing = { settings: organization.settings, nowSeconds: toSeconds(clock.nowMs()) };
    if (content !== undefined) requireMayEditContentNow(caller, message, view, timing);
    if (content !== undefined) requireExpected(message, params.prev_content_sha256);
    const wanted = content === undefined ? undefined : readEditedContent(content);
    const text =
      wanted === undefined || wanted === message.content
        ? undefined
        : await rendered(services, caller, readable, wanted);
    const detached = text ? await findDetached(services, caller, message, text) : [];
    if (message.kind === 'channel' && view && (topic !== undefined || channelId !== undefined)) {
      const { planMove } = await import('#shared/actions/messages/plan-move.ts');
      const change = await planMove(services, caller, organization, {
        message,
        view,
        topic,
        channelId,
        mode,
        notifiesOld: params.send_notification_to_old_thread,
        notifiesNew: params.send_notification_to_new_thread,
        text,
      });
      await commit(services, change);
    } else if (text) {
      const { editContent } = await import('#shared/actions/messages/edit-content.ts');
      await editContent(services, caller, readable, text);
    }
    return { detached_uploads: detached };
  },
});

/** Loaded on demand: the renderer is large, and many calls only move messages. */
async function rendered(services: Services, caller: User, readable: Readable, content: string) {
  const { renderEdited } = await import('#shared/actions/messages/edited-text.ts');
  return renderEdited(services, caller, readable, content);
}

/** The caller's files that no message links to after the edit; clients offer to delete them. */
async function findDetached(services: Services, caller: User, message: Message, text: EditedText) {
  const { concernsUploads, uploadEditOf } = await import('#shared/actions/messages/edited-text.ts');
  if (!concernsUploads(message, text)) return [];
  const { listDetached } = await import('#shared/actions/uploads/uploads.ts');
  return listDetached(services, caller.userId, uploadEditOf(message, text));
}

export const handler = lambda(editMessage, awsServices);
