import { mayKnow } from '#shared/domain/channels/permissions.ts';
import type { Feed } from '#shared/domain/feeds/feed.ts';
import { isPermitted } from '#shared/domain/permissions/permission.ts';
import { permissions } from '#shared/domain/permissions/permissions.ts';
import type { User } from '#shared/domain/users/user.ts';
import { getChannelView } from '#shared/store/channels/channels.ts';
import { listFeeds } from '#shared/store/feeds.ts';
import { listUsersById } from '#shared/store/users/users.ts';
import type { Table } from '#shared/table/table.ts';

/**
 * The feeds of a channel that the caller may see and remove: all for the channel's administrators, otherwise feeds of
 * the caller's bots. Addresses of feeds may contain keys.
 * @throws BadRequest for a channel that is hidden from the caller
 */
export async function listVisibleFeeds(table: Table, caller: User, channelId: number): Promise<Feed[]> {
  const view = await getChannelView(table, caller, channelId);
  const feeds = await listFeeds(table, channelId);
  const botIds = feeds.map(({ botId }) => botId);
  const bots = feeds.length === 0 ? [] : await listUsersById(table, botIds);
  const own = new Set(
    bots.filter(({ botOwnerId }) => botOwnerId === caller.userId).map(({ userId }) => userId),
  );
  return feeds.filter(({ botId }) =>
    isPermitted(caller, permissions.removeFeed, {
      channel: view.channel.groups,
      relations: { ownsBot: own.has(botId), knowsChannel: mayKnow(caller, view) },
    }),
  );
}
