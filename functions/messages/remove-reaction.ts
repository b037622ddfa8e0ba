import * as z from 'zod/mini';
import { decideReaction } from '#shared/actions/messages/react.ts';
import { getReadableMessage } from '#shared/actions/messages/readable-message.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional, text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { isPossible } from '#shared/domain/emoji/emoji.ts';
import { BadRequest, ReactionDoesNotExist } from '#shared/domain/errors.ts';
import { unreactChange } from '#shared/domain/reactions/changes.ts';
import { commit } from '#shared/log/commit.ts';
import { completeEmoji } from '#shared/store/emoji/emoji.ts';

const NEITHER = 'At least one of the following arguments must be present: emoji_name, emoji_code';

/** Removes a reaction of the caller. */
export const removeReaction = endpoint({
  route: 'DELETE /messages/{message_id}/reactions',
  summary: 'Remove a reaction',
  allow: 'user',
  scope: 'send',
  obeysChannels: true,
  needs: ['useOwn', 'readMessages'],
  params: {
    message_id: json(z.int(), 'The message'),
    emoji_name: optional(text(z.string(), 'The name of the emoji; required without a code')),
    emoji_code: optional(text(z.string(), 'Its code points, or the id of a custom emoji')),
    reaction_type: optional(
      text(z.string(), 'Its kind: `unicode_emoji`, `realm_emoji` or `zulip_extra_emoji`'),
    ),
  },
  result: nothing,
  errors: [BadRequest, ReactionDoesNotExist],
  emits: ['reaction/remove'],
  uses: { table: 'write', areas: ['messages'] },
  async handle(params, { services, caller }) {
    const readable = await getReadableMessage(services, caller, params.message_id);
    const { emoji_name: name, emoji_code: code, reaction_type: type } = params;
    if (code === undefined && name === undefined) throw new BadRequest(NEITHER);
    const emoji =
      code === undefined
        ? await completeEmoji(services.table, { name: name ?? '', type })
        : { name: name ?? '', code, type: type ?? 'unicode_emoji' };
    if (!isPossible(emoji)) throw new ReactionDoesNotExist();
    await commit(
      services,
      await decideReaction(services.table, caller, readable, { emoji, decide: unreactChange }),
    );
    return {};
  },
});

export const handler = lambda(removeReaction, awsServices);
