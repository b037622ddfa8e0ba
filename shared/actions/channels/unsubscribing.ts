import type { Channel } from '#shared/domain/channels/channel.ts';
import { groupSettingsOf, mayKnow } from '#shared/domain/channels/permissions.ts';
import { ChannelDoesNotExist } from '#shared/domain/errors.ts';
import { toCanonical } from '#shared/domain/names.ts';
import type { Principal } from '#shared/domain/subscriptions/subscribe.ts';
import {
  type Leaving,
  listLeavings,
  requireMayRemove,
  unsubscribeChanges,
} from '#shared/domain/subscriptions/unsubscribe.ts';
import type { User } from '#shared/domain/users/user.ts';
import { commit, withFreshState } from '#shared/log/commit.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listChannelsById, listChannelsByName } from '#shared/store/channels/channels.ts';
import { learnMemberships } from '#shared/store/user-groups/groups.ts';
import { loadPrincipal } from '#shared/store/users/principals.ts';
import type { Table } from '#shared/table/table.ts';

/**
 * The channels with these names, in the given order, from which the caller may remove the users.
 * @throws ChannelDoesNotExist for the first name that is hidden from the caller, BadRequest
 */
export async function getChannelsToLeave(
  { table }: Services,
  caller: User,
  users: User[],
  names: string[],
): Promise<Channel[]> {
  const self = await loadPrincipal(table, { ...caller });
  const channels = await getChannels(table, self, names);
  requireMayRemove(self, users, channels);
  return channels;
}

/** Unsubscribes users; the caller's rights must have been checked. */
export async function unsubscribeUsers(
  services: Services,
  users: User[],
  leaving: Channel[],
): Promise<{ removed: string[]; notRemoved: string[] }> {
  const { table } = services;
  const done: Leaving[] = [];
  const notRemoved = await withFreshState(services, async () => {
    const channels = await reload(table, leaving);
    const principals = await mapConcurrently(users, (user) => loadPrincipal(table, { ...user }));
    const plan = listLeavings(principals, channels, done);
    for (const { change, leavings } of unsubscribeChanges(plan.leavings)) {
      await commit(services, change);
      done.push(...leavings);
    }
    return plan.notRemoved;
  });
  return { removed: [...new Set(done.map(({ channel }) => channel.name))], notRemoved };
}

async function reload(table: Table, channels: Channel[]): Promise<Channel[]> {
  const ids = channels.map(({ channelId }) => channelId);
  const fresh = new Map((await listChannelsById(table, ids)).map((channel) => [channel.channelId, channel]));
  return ids.flatMap((channelId) => fresh.get(channelId) ?? []);
}

async function getChannels(table: Table, self: Principal, names: string[]): Promise<Channel[]> {
  const channels = await listChannelsByName(table, names);
  await learnMemberships(table, self.user, channels.flatMap(groupSettingsOf));
  const byName = new Map(channels.map((channel) => [toCanonical(channel.name), channel]));
  return names.map((name) => {
    const channel = byName.get(toCanonical(name));
    const subscription = channel && self.subscriptions.get(channel.channelId);
    const isKnown = channel && (subscription || mayKnow(self.user, { channel, subscription }));
    if (!channel || !isKnown) throw new ChannelDoesNotExist(name);
    return channel;
  });
}

/** Trimmed names without duplicates in any letter case. */
export const toNames = (input: string[]): string[] => [
  ...new Map(input.map((name) => [toCanonical(name.trim()), name.trim()])).values(),
];
