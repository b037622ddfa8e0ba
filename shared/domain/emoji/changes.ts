import type { Change } from '#shared/domain/change.ts';
import { BadRequest, NotFound } from '#shared/domain/errors.ts';
import type { OrganizationGroups } from '#shared/domain/organization/settings.ts';
import { isPermitted } from '#shared/domain/permissions/permission.ts';
import { permissions } from '#shared/domain/permissions/permissions.ts';
import { isAdministrator, type User } from '#shared/domain/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { type CustomEmoji, MAX_EMOJI_NAME_LENGTH, toEmojiRecord } from './custom-emoji.ts';

/** Register and the events of old clients list all of them, deactivated ones included. */
const MAX_EMOJI = 10_000;

/** @throws BadRequest for those who may not add emoji */
export function requireMayAddEmoji(caller: User, organization: OrganizationGroups): void {
  if (!isPermitted(caller, permissions.addCustomEmoji, { organization }))
    throw new BadRequest('Insufficient permission');
}

/** The name of an emoji, in which spaces become underscores. @throws BadRequest for what is no name */
export function checkEmojiName(given: string): string {
  const name = given.trim().replaceAll(' ', '_');
  if (name === '') throw new BadRequest('Emoji name is missing');
  if (name.length > MAX_EMOJI_NAME_LENGTH)
    throw new BadRequest(`emoji_name is too long (limit: ${MAX_EMOJI_NAME_LENGTH} characters)`);
  if (!/^[0-9a-z_.-]+$/.test(name))
    throw new BadRequest(
      'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.',
    );
  if (!/[0-9a-z]$/.test(name)) throw new BadRequest('Emoji names must end with either a letter or digit.');
  return name;
}

/** @throws BadRequest where a custom emoji of the name is active, or the name is built in and the caller may not take it */
export function requireFreeName(
  caller: User,
  known: { existing: CustomEmoji | undefined; isBuiltIn: boolean },
): void {
  if (known.existing) throw new BadRequest('A custom emoji with this name already exists.');
  if (known.isBuiltIn && !isAdministrator(caller))
    throw new BadRequest('Only administrators can override default emoji.');
}

/** The emoji comes into being, as the only active one of its name. @throws BadRequest where there are too many */
export function newEmojiChange(emoji: CustomEmoji): Change {
  if (emoji.emojiId > MAX_EMOJI) throw new BadRequest(`Too many custom emoji (maximum ${MAX_EMOJI}).`);
  return {
    writes: [
      { kind: 'put', item: { ...keys.customEmoji(emoji.emojiId), ...emoji }, condition: { exists: false } },
      {
        kind: 'put',
        item: { ...keys.customEmojiName(emoji.name), ...emoji },
        condition: { exists: false },
      },
    ],
    events: [
      {
        audience: { kind: 'everyone' },
        payload: { type: 'realm_emoji', op: 'add', emoji: toEmojiRecord(emoji) },
      },
    ],
  };
}

/**
 * Nobody can use the emoji any more, and its name is free.
 * @throws NotFound for a name that no active emoji has, BadRequest for those who may not
 */
export function deactivationChange(caller: User, name: string, emoji: CustomEmoji | undefined): Change {
  if (!emoji) throw new NotFound(`Emoji '${name}' does not exist`);
  const relations = { addedEmoji: emoji.authorId === caller.userId };
  if (!isPermitted(caller, permissions.deactivateCustomEmoji, { relations }))
    throw new BadRequest('Must be an organization administrator or emoji author');
  const { emojiId } = emoji;
  return {
    writes: [
      {
        kind: 'update',
        key: keys.customEmoji(emojiId),
        set: { isDeactivated: true },
        condition: { equals: { isDeactivated: false } },
      },
      { kind: 'delete', key: keys.customEmojiName(emoji.name), condition: { equals: { emojiId } } },
    ],
    events: [
      {
        audience: { kind: 'everyone' },
        payload: {
          type: 'realm_emoji',
          op: 'update_one',
          emoji_id: String(emojiId),
          data: { deactivated: true },
        },
      },
    ],
  };
}
