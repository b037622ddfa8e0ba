import * as z from 'zod/mini';
import { getReadableMessage } from '#shared/actions/messages/readable-message.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, maxLength, notBlank, text, withoutNullBytes } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { limits } from '#shared/domain/channels/channel.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { addSubmessageChange } from '#shared/domain/widgets/changes.ts';
import { commitWithAnswer } from '#shared/log/commit.ts';
import { messageIndexKeys } from '#shared/store/log/log-entry.ts';
import { messageKeys } from '#shared/table/keys/log.ts';

/** Adds a submessage: for instance a vote in a poll, or a completed task of a list. */
export const addSubmessage = endpoint({
  route: 'POST /submessage',
  summary: 'Add to a poll or list of tasks',
  allow: 'user',
  scope: 'send',
  creates: true,
  needs: ['readMessages'],
  params: {
    message_id: json(z.int(), 'The message'),
    msg_type: text(z.string().check(notBlank(), maxLength(60)), 'Its kind: `widget`'),
    content: text(
      z.string().check(withoutNullBytes(), maxLength(limits.message)),
      'The content, as JSON; for example `{"type":"vote","key":"canned,0","vote":1}`',
    ),
  },
  result: nothing,
  errors: [BadRequest],
  emits: ['submessage'],
  uses: { table: 'write', areas: ['messages'] },
  async handle({ message_id: messageId, msg_type: type, content }, { services, caller, retry }) {
    const { table } = services;
    const { userId } = caller;
    const { message, view } = await getReadableMessage(services, caller, messageId);
    const place = message.submessagesIn ?? String(messageIndexKeys(message).inConversation);
    const keyOf = (id: number) => messageKeys.submessages(place, messageId, id);
    const isAuthor = userId === message.senderId;
    const [item, byAuthor] =
      message.submessagesIn === undefined
        ? []
        : await Promise.all([
            table.find(keyOf(userId)),
            isAuthor ? undefined : table.find(keyOf(message.senderId)),
          ]);
    const authorsItem = isAuthor ? item : byAuthor;
    const change = addSubmessageChange({ userId, message, view, type, content, place, item, authorsItem });
    return commitWithAnswer(services, retry, change, {});
  },
});

export const handler = lambda(addSubmessage, awsServices);
