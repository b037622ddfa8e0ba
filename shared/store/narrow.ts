import { groupSettingsOf, mayKnow } from '#shared/domain/channels/permissions.ts';
import { BadNarrow } from '#shared/domain/errors.ts';
import type { ResolvedTerm, Term } from '#shared/domain/narrow/term.ts';
import { findWithId, settleWith } from '#shared/domain/narrow/with.ts';
import type { User } from '#shared/domain/users/user.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Table } from '#shared/table/table.ts';
import { findUserByAddress, isKnownAs } from './addresses.ts';
import { type ChannelViews, loadChannelViews } from './channel-views.ts';
import { findChannelId } from './channels.ts';
import { learnMemberships } from './groups.ts';
import { findReadableMessage } from './messages.ts';
import { listSeen } from './sight.ts';
import { listUsersById } from './users.ts';

/**
 * The terms with the ids of the channels and users that they name; the channels are added to `views`.
 * @throws BadNarrow for who or what does not exist, and for channels that the caller may not know of
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

/**
 * The ids of users in the order in which they were named; the caller is found without a read, and whom the caller does
 * not see is as somebody who does not exist.
 */
async function findUserIds(
  table: Table,
  caller: User,
  named: (number | string)[],
): Promise<(number | undefined)[]> {
  const ids = named.filter((one) => typeof one === 'number');
  const others = await listUsersById(
    table,
    ids.filter((id) => id !== caller.userId),
  );
  const seen = await listSeen(table, caller, others);
  const known = new Set([caller.userId, ...seen.map(({ userId }) => userId)]);
  return mapConcurrently(named, async (one) => {
    if (typeof one === 'number') return known.has(one) ? one : undefined;
    if (isKnownAs(caller, one)) return caller.userId;
    return (await findUserByAddress(table, caller, one))?.userId;
  });
}
