import * as z from 'zod/mini';
import { decideReaction } from '#shared/actions/messages/react.ts';
import { getReadableMessage, type Readable } from '#shared/actions/messages/readable-message.ts';
import { raiseByReacting } from '#shared/actions/topics/own-topics.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional, text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { mergeChanges } from '#shared/domain/change.ts';
import { isPossible } from '#shared/domain/emoji/emoji.ts';
import type { Emoji } from '#shared/domain/emoji/emoji-type.ts';
import { BadRequest, ReactionAlreadyExists } from '#shared/domain/errors.ts';
import { topicOf } from '#shared/domain/messages/topic.ts';
import { reactChange } from '#shared/domain/reactions/changes.ts';
import { commitWithAnswer } from '#shared/log/commit.ts';
import { completeEmoji, type NamedEmoji, requireEmoji } from '#shared/store/emoji/emoji.ts';
import { findReactionName } from '#shared/store/messages/reactions.ts';
import type { Table } from '#shared/table/table.ts';

/** Adds a reaction of the caller to a message that they may read. */
export const addReaction = endpoint({
  route: 'POST /messages/{message_id}/reactions',
  summary: 'Add a reaction',
  allow: 'user',
  scope: 'send',
  obeysChannels: true,
  creates: true,
  needs: ['readMessages'],
  params: {
    message_id: json(z.int(), 'The message'),
    emoji_name: text(z.string(), 'The name of the emoji'),
    emoji_code: optional(text(z.string(), 'Its code points, or the id of a custom emoji')),
    reaction_type: optional(
      text(z.string(), 'Its kind: `unicode_emoji`, `realm_emoji` or `zulip_extra_emoji`'),
    ),
  },
  result: nothing,
  errors: [BadRequest, ReactionAlreadyExists],
  emits: ['muted_topics', 'reaction/add', 'user_topic'],
  uses: { table: 'write', areas: ['messages'] },
  async handle(params, { services, caller, retry }) {
    const readable = await getReadableMessage(services, caller, params.message_id);
    const { emoji_name: name, emoji_code: code, reaction_type: type } = params;
    const emoji = await readEmoji(services.table, readable, { name, code, type });
    const change = await decideReaction(services.table, caller, readable, { emoji, decide: reactChange });
    const topic = topicOf(readable.message, readable.view);
    const raised = topic && (await raiseByReacting(services, caller, topic));
    return commitWithAnswer(services, retry, raised ? mergeChanges(change, raised.change) : change, {});
  },
});

export const handler = lambda(addReaction, awsServices);

/** A reaction that others have used keeps the name under which they used it. @throws BadRequest */
async function readEmoji(table: Table, { message }: Readable, named: NamedEmoji): Promise<Emoji> {
  const wanted = await completeEmoji(table, named);
  if (isPossible(wanted)) {
    const existing = await findReactionName(table, message, wanted);
    if (existing !== undefined) return { ...wanted, name: existing };
  }
  return requireEmoji(table, wanted);
}
