import * as z from 'zod/mini';
import { json, maxLength, withoutNullBytes, withoutUnfitCharacters } from '#shared/api/parameters.ts';
import { MAX_CHANNELS_OF_GROUP, MAX_GROUP_DESCRIPTION } from '#shared/domain/channels/default-groups.ts';

export const groupId = json(z.int(), 'The group');
export const groupName = z.string().check(z.trim(), withoutUnfitCharacters());
export const groupDescription = z.string().check(maxLength(MAX_GROUP_DESCRIPTION), withoutNullBytes());

/** Names of channels, trimmed. */
export const channelNames = z.array(z.string().check(z.trim())).check(
  z.refine((names: string[]) => names.length <= MAX_CHANNELS_OF_GROUP, {
    error: `{p} names too many channels (maximum ${MAX_CHANNELS_OF_GROUP}).`,
  }),
);
