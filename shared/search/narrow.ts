import { groupSettingsOf, mayKnow } from '#shared/domain/channels/permissions.ts';
import { BadNarrow } from '#shared/domain/errors.ts';
import type { ResolvedTerm, Term } from '#shared/domain/narrow/term.ts';
import { findWithId, settleWith } from '#shared/domain/narrow/with.ts';
import type { User } from '#shared/domain/users/user.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import { type ChannelViews, loadChannelViews } from '#shared/store/channels/channel-views.ts';
import { findChannelId } from '#shared/store/channels/channels.ts';
import { findReadableMessage } from '#shared/store/messages/messages.ts';
import { learnMemberships } from '#shared/store/user-groups/groups.ts';
import { findUserByAddress, isKnownAs } from '#shared/store/users/addresses.ts';
import { listUsersById } from '#shared/store/users/users.ts';
import { listSeen } from '#shared/store/visibility/visible-users.ts';
import type { Table } from '#shared/table/table.ts';

/**
 * Resolves channels and users to ids and adds the channels to `views`.
 * @throws BadNarrow for unknown users and channels, and for channels that are hidden from the caller
 */
export async function resolveTerms(
  table: Table,
  caller: User,
  terms: Term[],
  views: ChannelViews,
): Promise<ResolvedTerm[]> {
  const withId = findWithId(terms);
  const target = withId === undefined ? undefined : await findReadableMessage(table, caller, withId);
  const { written, settled } = settleWith(terms, target?.message, caller.userId);
  const resolved = await mapConcurrently(written, async (term): Promise<ResolvedTerm> => {
    switch (term.kind) {
      case 'channel':
        return { ...term, channel: await getChannelId(table, caller, term.channel, views) };
      case 'sender':
      case 'directIncluding':
      case 'mentions':
        return { ...term, user: await getUserId(table, caller, term.user) };
      case 'direct':
        return { ...term, users: await getUserIds(table, caller, term.users, term.written) };
      default:
        return term;
    }
  });
  return [...settled, ...resolved];
}

async function getChannelId(
  table: Table,
  caller: User,
  named: number | string,
  views: ChannelViews,
): Promise<number> {
  const channelId = typeof named === 'number' ? named : await findChannelId(table, named);
  if (channelId !== undefined) await loadChannelViews(table, caller.userId, views, [channelId]);
  const view = channelId === undefined ? undefined : views.get(channelId);
  if (view) await learnMemberships(table, caller, groupSettingsOf(view.channel));
  if (!view || !mayKnow(caller, view)) throw new BadNarrow(`unknown channel ${named}`);
  return view.channel.channelId;
}

async function getUserId(table: Table, caller: User, named: number | string): Promise<number> {
  const [userId] = await findUserIds(table, caller, [named]);
  if (userId === undefined) throw new BadNarrow(`unknown user ${named}`);
  return userId;
}

async function getUserIds(
  table: Table,
  caller: User,
  named: (number | string)[],
  written: string,
): Promise<number[]> {
  const userIds = await findUserIds(table, caller, named);
  return userIds.map((userId) => {
    if (userId === undefined) throw new BadNarrow(`unknown user in ${written}`);
    return userId;
  });
}

/** The ids of users in the given order; the caller needs no read, and hidden users count as unknown. */
async function findUserIds(
  table: Table,
  caller: User,
  named: (number | string)[],
): Promise<(number | undefined)[]> {
  const ids = named.filter((value) => typeof value === 'number');
  const others = await listUsersById(
    table,
    ids.filter((id) => id !== caller.userId),
  );
  const seen = await listSeen(table, caller, others);
  const known = new Set([caller.userId, ...seen.map(({ userId }) => userId)]);
  return mapConcurrently(named, async (person) => {
    if (typeof person === 'number') return known.has(person) ? person : undefined;
    if (isKnownAs(caller, person)) return caller.userId;
    return (await findUserByAddress(table, caller, person))?.userId;
  });
}
