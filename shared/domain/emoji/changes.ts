import type { Change } from '#shared/domain/change.ts';
import { BadRequest, NotFound } from '#shared/domain/errors.ts';
import type { OrganizationGroups } from '#shared/domain/organization/settings.ts';
import { isPermitted } from '#shared/domain/permissions/permission.ts';
import { permissions } from '#shared/domain/permissions/permissions.ts';
import { giveRoomWrite, type Room, takeRoomWrite } from '#shared/domain/room.ts';
import { isAdministrator, type User } from '#shared/domain/users/user.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Write } from '#shared/table/table.ts';
import { type CustomEmoji, MAX_EMOJI_NAME_LENGTH, toEmojiRecord } from './custom-emoji.ts';

/** Register and the events of old clients list all of them, deactivated ones included. */
const MAX_EMOJI = 10_000;

/** @throws BadRequest when the caller may not add emoji */
export function requireMayAddEmoji(caller: User, organization: OrganizationGroups): void {
  if (!isPermitted(caller, permissions.addCustomEmoji, { organization }))
    throw new BadRequest('Insufficient permission');
}

/** The name of an emoji, with underscores for spaces. @throws BadRequest for an invalid name */
export function checkEmojiName(input: string): string {
  const name = input.trim().replaceAll(' ', '_');
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

/**
 * @throws BadRequest when an active custom emoji has the name, or when it is built in and the caller may not
 * override it
 */
export function requireFreeName(
  caller: User,
  known: { existing: CustomEmoji | undefined; isBuiltIn: boolean },
): void {
  if (known.existing) throw new BadRequest('A custom emoji with this name already exists.');
  if (known.isBuiltIn && !isAdministrator(caller))
    throw new BadRequest('Only administrators can override default emoji.');
}

/** Counts an active emoji. @throws BadRequest above the organization's limit */
export const emojiRoomWrite = (room: Room, limit: number): Write =>
  takeRoomWrite(room, limit, `Too many custom emoji: the organization may have ${limit} active ones.`);

/** Creates the emoji as the only active one of its name. @throws BadRequest when there are too many */
export function newEmojiChange(emoji: CustomEmoji, room: Write): Change {
  if (emoji.emojiId > MAX_EMOJI) throw new BadRequest(`Too many custom emoji (maximum ${MAX_EMOJI}).`);
  return {
    writes: [
      {
        kind: 'put',
        item: { ...organizationKeys.customEmoji(emoji.emojiId), ...emoji },
        condition: { exists: false },
      },
      {
        kind: 'put',
        item: { ...organizationKeys.customEmojiName(emoji.name), ...emoji },
        condition: { exists: false },
      },
      room,
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
 * Deactivates the emoji and frees its name.
 * @throws NotFound when no active emoji has the name, BadRequest without permission
 */
export function deactivationChange(
  caller: User,
  name: string,
  emoji: CustomEmoji | undefined,
  room: Room,
): Change {
  if (!emoji) throw new NotFound(`Emoji '${name}' does not exist`);
  const relations = { addedEmoji: emoji.authorId === caller.userId };
  if (!isPermitted(caller, permissions.deactivateCustomEmoji, { relations }))
    throw new BadRequest('Must be an organization administrator or emoji author');
  const { emojiId } = emoji;
  return {
    writes: [
      {
        kind: 'update',
        key: organizationKeys.customEmoji(emojiId),
        set: { isDeactivated: true },
        condition: { equals: { isDeactivated: false } },
      },
      {
        kind: 'delete',
        key: organizationKeys.customEmojiName(emoji.name),
        condition: { equals: { emojiId } },
      },
      giveRoomWrite(room),
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
