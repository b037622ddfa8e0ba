import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { deactivationChange } from '#shared/domain/emoji/changes.ts';
import { BadRequest, NotFound } from '#shared/domain/errors.ts';
import { commit } from '#shared/log/commit.ts';
import { findCustomEmoji } from '#shared/store/emoji/custom-emoji.ts';
import { findRoom } from '#shared/store/limits/room.ts';
import { roomKeys } from '#shared/table/keys/limits.ts';

/** Deactivates a custom emoji: one's own, or any as an administrator. Existing texts keep showing it. */
export const deactivateCustomEmoji = endpoint({
  route: 'DELETE /realm/emoji/{emoji_name}',
  summary: 'Deactivate a custom emoji',
  allow: 'user',
  needs: ['deactivateCustomEmoji'],
  params: { emoji_name: text(z.string(), 'Its name') },
  result: nothing,
  errors: [BadRequest, NotFound],
  emits: ['realm_emoji/update', 'realm_emoji/update_one'],
  uses: { table: 'write' },
  async handle({ emoji_name: name }, { services, caller }) {
    const emoji = await findCustomEmoji(services.table, { name });
    const room = await findRoom(services.table, roomKeys.customEmoji());
    await commit(services, deactivationChange(caller, name, emoji, room));
    return {};
  },
});

export const handler = lambda(deactivateCustomEmoji, awsServices);
