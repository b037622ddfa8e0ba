import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { messageRecord } from '#shared/api/contracts/messages.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, withDefault } from '#shared/api/parameters.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { asShown, subscriptionsIn } from '#shared/domain/messages/access.ts';
import { flagsOf } from '#shared/domain/messages/flags.ts';
import { toMessageRecord } from '#shared/domain/messages/record.ts';
import { withHistory } from '#shared/store/messages/message-history.ts';
import { findReadableMessage } from '#shared/store/messages/messages.ts';
import { withReactions } from '#shared/store/messages/reactions.ts';
import { openRecipientSets } from '#shared/store/messages/recipient-sets.ts';
import { withSubmessages } from '#shared/store/messages/submessages.ts';
import { loadMarks, openMarks } from '#shared/store/reading/read-state.ts';
import { loadAlerts } from '#shared/store/users/alert-words.ts';
import { asShownToCaller } from '#shared/store/users/identities.ts';

/** A message that the caller may read, rendered or as source, and always its source. */
export const getMessage = endpoint({
  route: 'GET /messages/{message_id}',
  summary: 'Get a message',
  allow: 'user',
  scope: 'read',
  obeysChannels: true,
  needs: ['readMessages'],
  params: {
    message_id: json(z.int(), 'The message'),
    apply_markdown: withDefault(
      json(z.boolean(), 'Whether the content is HTML or its Markdown source'),
      true,
    ),
    allow_empty_topic_name: withDefault(
      json(z.boolean(), 'The client knows that a topic may be empty'),
      false,
    ),
  },
  result: z.object({ message: messageRecord, raw_content: z.string() }),
  errors: [BadRequest],
  emits: [],
  uses: { table: 'read', areas: ['messages'] },
  async handle(params, { services: { table }, caller }) {
    const [readable, marks, alerts] = await Promise.all([
      findReadableMessage(table, caller, params.message_id),
      openMarks(table, caller.userId),
      loadAlerts(table, caller),
    ]);
    if (!readable) throw new BadRequest('Invalid message(s)');
    const [recipientSets] = await Promise.all([
      openRecipientSets(table, [readable.message]),
      loadMarks(table, caller.userId, marks, [params.message_id]),
    ]);
    const { view, views } = readable;
    const reacted = await withReactions(table, [readable.message], { consistent: true });
    const whole = await withSubmessages(table, reacted, { consistent: true });
    const known = await withHistory(table, caller, whole);
    const [message = readable.message] = await asShownToCaller(table, caller, known);
    const record = toMessageRecord(asShown(message, view), {
      applyMarkdown: params.apply_markdown,
      clientGravatar: true,
      allowsEmptyTopic: params.allow_empty_topic_name,
    });
    const flags = flagsOf(caller, message, subscriptionsIn(views), { marks, alerts, recipientSets });
    return { message: { ...record, flags }, raw_content: message.content };
  },
});

export const handler = lambda(getMessage, awsServices);
