import * as z from 'zod/mini';
import { countCreation } from '#shared/actions/channels/count-within-day.ts';
import { keepPicture, type PictureForms } from '#shared/actions/pictures/keep-picture.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { MAX_UPLOAD_MEBIBYTES } from '#shared/api/files/uploads.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import {
  checkEmojiName,
  emojiRoomWrite,
  newEmojiChange,
  requireFreeName,
  requireMayAddEmoji,
} from '#shared/domain/emoji/changes.ts';
import type { CustomEmoji } from '#shared/domain/emoji/custom-emoji.ts';
import { isBuiltInEmoji } from '#shared/domain/emoji/emoji.ts';
import { BadImage, BadRequest } from '#shared/domain/errors.ts';
import type { PictureShape } from '#shared/domain/pictures/fit.ts';
import { commitWithAnswer } from '#shared/log/commit.ts';
import { findCustomEmoji } from '#shared/store/emoji/custom-emoji.ts';
import { readEmojiRoom } from '#shared/store/limits/room.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { learnMemberships } from '#shared/store/user-groups/groups.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';

const SHAPE: PictureShape = { width: 64, height: 64, fit: 'pad' };
const FORMS: PictureForms = { '': { ...SHAPE, isAnimated: true }, '-still': SHAPE };

/** Adds a custom emoji from a picture, which may be animated. */
export const uploadCustomEmoji = endpoint({
  route: 'POST /realm/emoji/{emoji_name}',
  summary: 'Upload a custom emoji',
  allow: 'user',
  creates: true,
  needs: ['addCustomEmoji'],
  params: { emoji_name: text(z.string(), 'Its name; spaces become underscores') },
  files: {
    count: 1,
    countError: 'You must upload exactly one file.',
    maxMebibytes: MAX_UPLOAD_MEBIBYTES,
  },
  result: nothing,
  errors: [BadImage, BadRequest],
  emits: ['realm_emoji/add', 'realm_emoji/update'],
  uses: { table: 'write', files: 'write', folders: ['pictures'], images: true },
  memoryMegabytes: 1769,
  async handle({ emoji_name }, { services, caller, retry, files: [file] }) {
    const { table } = services;
    const { groups } = await getOrganization(table);
    await learnMemberships(table, caller, [groups.can_add_custom_emoji_group]);
    requireMayAddEmoji(caller, groups);
    const name = checkEmojiName(emoji_name);
    const existing = await findCustomEmoji(table, { name });
    requireFreeName(caller, { existing, isBuiltIn: isBuiltInEmoji(name) });
    const room = emojiRoomWrite(await readEmojiRoom(table), services.config.recordLimits.customEmoji);
    const bytes = file?.bytes ?? new Uint8Array();
    const create = async ([picture = '', still = '']: string[]) => {
      const emojiId = await table.increment(organizationKeys.counter('custom-emoji'), 'id');
      // For still pictures both are the same.
      const moves = !picture.endsWith('.png');
      const emoji: CustomEmoji = {
        emojiId,
        name,
        picture,
        ...(moves && { stillPicture: still }),
        isDeactivated: false,
        authorId: caller.userId,
      };
      return commitWithAnswer(services, retry, newEmojiChange(emoji, room), {});
    };
    return countCreation(services, caller, 'CUSTOM_EMOJI', () => keepPicture(services, bytes, FORMS, create));
  },
});

export const handler = lambda(uploadCustomEmoji, awsServices);
