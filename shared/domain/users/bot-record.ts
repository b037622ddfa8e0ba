import { toServiceRecords } from '#shared/domain/webhooks/service.ts';
import { isAdministrator, type User } from './user.ts';

/** The default channels of a bot, by protocol name. */
export const describeDefaults = ({ bot }: User) => ({
  default_all_public_streams: bot?.usesAllPublicChannels ?? false,
  default_events_register_stream: bot?.eventsChannel?.name ?? null,
  default_sending_stream: bot?.sendingChannel?.name ?? null,
});

/** The integration of an incoming webhook. Its configuration may be secret, so an operation of its own shows it. */
const describeIntegration = ({ bot }: User): { service_name: string; config_data: object }[] =>
  bot?.integration === undefined ? [] : [{ service_name: bot.integration, config_data: {} }];

/** The bot record of the protocol. */
export const toBotRecord = (user: User) => ({
  user_id: user.userId,
  ...describeDefaults(user),
  services: [...toServiceRecords(user.bot?.service), ...describeIntegration(user)],
});

/** The bots that the viewer may administer: their own; for administrators all except the service's. */
export const botRecordsFor = (viewer: User, users: User[]) =>
  users
    .filter((user) => user.isBot && !user.isSystemBot)
    .filter(({ botOwnerId }) => isAdministrator(viewer) || botOwnerId === viewer.userId)
    .map(toBotRecord);
