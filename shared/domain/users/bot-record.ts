import { toServiceRecords } from '#shared/domain/webhooks/service.ts';
import { isAdministrator, type User } from './user.ts';

/** The default channels of a bot, by protocol name. */
export const describeDefaults = ({ bot }: User) => ({
  default_all_public_streams: bot?.usesAllPublicChannels ?? false,
  default_events_register_stream: bot?.eventsChannel?.name ?? null,
  default_sending_stream: bot?.sendingChannel?.name ?? null,
});

/** The bot record of the protocol. */
export const toBotRecord = (user: User) => ({
  user_id: user.userId,
  ...describeDefaults(user),
  services: toServiceRecords(user.bot?.service),
});

/** The bots that the viewer may administer: their own; for administrators all except the service's. */
export const botRecordsFor = (viewer: User, users: User[]) =>
  users
    .filter((user) => user.isBot && !user.isSystemBot)
    .filter(({ botOwnerId }) => isAdministrator(viewer) || botOwnerId === viewer.userId)
    .map(toBotRecord);
