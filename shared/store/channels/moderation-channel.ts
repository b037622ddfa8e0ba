import type { Channel } from '#shared/domain/channels/channel.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import type { Table } from '#shared/table/table.ts';
import { findChannel } from './channels.ts';

/**
 * The channel for reports, if one is set and private, because reports must not become public. One read, or
 * none without a setting.
 */
export async function findModerationChannel(
  table: Table,
  { settings }: Organization,
): Promise<Channel | undefined> {
  const channelId = settings.moderation_request_channel_id;
  const channel = channelId === -1 ? undefined : await findChannel(table, channelId);
  return channel?.isPrivate && !channel.isArchived ? channel : undefined;
}
