import { groupSettingsOf, mayKnow } from '#shared/domain/channels/permissions.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { requireMayTouchOwner } from '#shared/domain/users/access.ts';
import { listActiveBots, mayAdministerBot } from '#shared/domain/users/bots.ts';
import { type DefaultChannel, isGuest, type User } from '#shared/domain/users/user.ts';
import { findChannelByName } from '#shared/store/channels/channels.ts';
import { findSubscription } from '#shared/store/channels/subscriptions.ts';
import { learnMemberships } from '#shared/store/user-groups/groups.ts';
import type { Table } from '#shared/table/table.ts';
import { findUser, listUsers } from './users.ts';

/**
 * A bot that the caller administers, deactivated or not.
 * @throws BadRequest for users that are not bots, and for bots of others; UnauthorizedPrincipal for bots that
 * are owners
 */
export async function getBot(table: Table, caller: User, botId: number): Promise<User> {
  const bot = await findUser(table, botId);
  if (!bot?.isBot || bot.isSystemBot) throw new BadRequest('No such bot');
  // A guest may not know which bots there are.
  if (!mayAdministerBot(caller, bot))
    throw new BadRequest(isGuest(caller) ? 'No such bot' : 'Insufficient permission');
  // Reading the key of an owner's bot would give the caller an owner's rights.
  if (bot.botOwnerId !== caller.userId) requireMayTouchOwner(caller, bot);
  return bot;
}

/** The active bots of a user, ascending by id. Reads all users. */
export const listBotsOf = async (table: Table, user: User): Promise<User[]> =>
  listActiveBots(await listUsers(table), user);

/**
 * The default channel for a bot; null for an empty name.
 * @throws BadRequest also for a channel that is hidden from the caller
 */
export async function getDefaultChannel(
  table: Table,
  caller: User,
  name: string,
): Promise<DefaultChannel | null> {
  if (name.trim() === '') return null;
  const channel = await findChannelByName(table, name.trim());
  const subscription = channel && (await findSubscription(table, caller.userId, channel.channelId));
  if (channel) await learnMemberships(table, caller, groupSettingsOf(channel));
  if (!channel || !mayKnow(caller, { channel, subscription }))
    throw new BadRequest(`Invalid channel name '${name}'`);
  return { channelId: channel.channelId, name: channel.name };
}
