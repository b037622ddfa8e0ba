import * as z from 'zod/mini';
import { type FileLimits, MAX_UPLOAD_MEBIBYTES } from '#shared/api/files/uploads.ts';
import { json, optional, text, type ValuesOf } from '#shared/api/parameters.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import type { BotSettings, User } from '#shared/domain/users/user.ts';
import { type BotService, checkInterface, checkPayloadUrl } from '#shared/domain/webhooks/service.ts';
import { readTarget } from '#shared/runtime/outside/guard.ts';
import { OutsideFailure } from '#shared/runtime/outside/outside.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getDefaultChannel } from '#shared/store/users/bots.ts';
import type { Table } from '#shared/table/table.ts';

/** The upload limits of a bot's picture. */
export const BOT_AVATAR: FileLimits = {
  count: 1,
  isOptional: true,
  countError: 'You may only upload one file at once',
  maxMebibytes: MAX_UPLOAD_MEBIBYTES,
};

/** Defaults for requests of the bot that do not name a channel or topic. */
export const botDefaults = {
  default_sending_stream: optional(text(z.string(), 'The default channel for sending; empty for no channel')),
  default_events_register_stream: optional(
    text(
      z.string(),
      'The channel whose messages queues without a narrow get; empty for all that the bot gets',
    ),
  ),
  default_all_public_streams: optional(
    json(z.boolean(), 'Whether queues get the messages of all public channels'),
  ),
};

/** The server that an outgoing webhook calls. @throws BadRequest for an invalid address, or one that may not be called */
export function readService(
  services: Services,
  input: { url: string; interface: number; token?: string },
): BotService {
  const baseUrl = checkPayloadUrl(input.url);
  try {
    readTarget(baseUrl, services.config.openings);
  } catch (failure) {
    if (failure instanceof OutsideFailure) throw new BadRequest('The address of the webhook is not allowed.');
    throw failure;
  }
  const token = input.token ?? services.ids.uuid().replaceAll('-', '');
  return { baseUrl, interface: checkInterface(input.interface), token };
}

/** The configuration of the integration that a bot of type 2 is made for. */
export const configData = json(
  z.record(z.string(), z.string()),
  'Settings of the integration: `webhook_secret`, and those that its page names',
);

/** The reply fields that show these defaults. */
export const describedDefaults = {
  default_sending_stream: z.nullable(z.string()),
  default_events_register_stream: z.nullable(z.string()),
  default_all_public_streams: z.boolean(),
};

/**
 * The bot's defaults with the given values applied.
 * @throws BadRequest for channels that are hidden from the caller
 */
export async function readBotDefaults(
  table: Table,
  caller: User,
  bot: BotSettings,
  input: ValuesOf<typeof botDefaults>,
): Promise<BotSettings> {
  const {
    default_sending_stream: sending,
    default_events_register_stream: events,
    default_all_public_streams: usesAllPublicChannels,
  } = input;
  return {
    ...bot,
    usesAllPublicChannels: usesAllPublicChannels ?? bot.usesAllPublicChannels,
    eventsChannel: events === undefined ? bot.eventsChannel : await getDefaultChannel(table, caller, events),
    sendingChannel:
      sending === undefined ? bot.sendingChannel : await getDefaultChannel(table, caller, sending),
  };
}
