import * as z from 'zod/mini';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional } from '#shared/api/parameters.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import { groupSettingsOf, mayKnow } from '#shared/domain/channels/permissions.ts';
import { BadRequest, ChannelDoesNotExist } from '#shared/domain/errors.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { requireFeasible } from '#shared/domain/subscriptions/limits.ts';
import type { Principal } from '#shared/domain/subscriptions/subscribe.ts';
import {
  type Leaving,
  listLeavings,
  requireMayRemove,
  unsubscribeChanges,
} from '#shared/domain/subscriptions/unsubscribe.ts';
import { commit, withFreshState } from '#shared/log/commit.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import { listChannelsByName } from '#shared/store/channels.ts';
import { learnMemberships } from '#shared/store/groups.ts';
import { loadPrincipal, resolvePrincipals } from '#shared/store/principals.ts';
import type { Table } from '#shared/table/table.ts';

/** Unsubscribes the caller or others from channels by name. */
export const unsubscribe = endpoint({
  route: 'DELETE /users/me/subscriptions',
  summary: 'Unsubscribe from channels',
  allow: 'user',
  params: {
    subscriptions: json(z.array(z.string()), 'Channel names'),
    principals: optional(
      json(
        z.union([z.array(z.int()), z.array(z.string())]),
        'User ids or e-mail addresses; the caller when absent',
      ),
    ),
  },
  result: z.object({ removed: z.array(z.string()), not_removed: z.array(z.string()) }),
  errors: [BadRequest, ChannelDoesNotExist],
  emits: ['subscription/remove', 'subscription/peer_remove', 'stream/delete', 'update_message_flags/add'],
  uses: { table: 'write', bus: true },
  timeoutSeconds: 29,
  memoryMegabytes: 512,
  async handle(params, { services, caller }) {
    const { table } = services;
    const names = [
      ...new Map(params.subscriptions.map((name) => [toCanonical(name.trim()), name.trim()])).values(),
    ];
    requireFeasible(names.length, params.principals);
    const users = await resolvePrincipals(table, caller, params.principals);
    const self = await loadPrincipal(table, caller);
    const channels = await getChannels(table, self, names);
    requireMayRemove(self, users, channels);
    const done: Leaving[] = [];
    const notRemoved = await withFreshState(services, async () => {
      const principals = await mapConcurrently(users, (user) => loadPrincipal(table, { ...user }));
      const settings = channels.flatMap(groupSettingsOf);
      await mapConcurrently(principals, ({ user }) => learnMemberships(table, user, settings));
      const plan = listLeavings(principals, channels, done);
      for (const { change, leavings } of unsubscribeChanges(plan.leavings)) {
        await commit(services, change);
        done.push(...leavings);
      }
      return plan.notRemoved;
    });
    const removed = new Set(done.map(({ channel }) => channel.name));
    return { removed: [...removed], not_removed: notRemoved };
  },
});

export const handler = lambda(unsubscribe, awsServices);

/** @throws ChannelDoesNotExist for the first name that the caller may not know of */
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
