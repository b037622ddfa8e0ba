import { channelsOf, isUnread, mayRead, subscriptionsIn } from '#shared/domain/messages/access.ts';
import { isTheirs } from '#shared/domain/messages/flags.ts';
import type { MessageFacts } from '#shared/domain/messages/message.ts';
import { mayMatch } from '#shared/domain/narrow/matches.ts';
import type { Preferences, ResolvedTerm } from '#shared/domain/narrow/term.ts';
import type { Marks } from '#shared/domain/reading/marks.ts';
import type { User } from '#shared/domain/users/user.ts';
import { type ChannelViews, loadChannelViews } from '#shared/store/channels/channel-views.ts';
import { listSubscriptions } from '#shared/store/channels/subscriptions.ts';
import { findPositionSince } from '#shared/store/messages/messages.ts';
import { loadMarks } from '#shared/store/reading/read-state.ts';
import type { Table } from '#shared/table/table.ts';
import type { Sieve } from './log-walk.ts';

/** The parts of a search that decide by place. */
interface Sought {
  table: Table;
  caller: User;
  terms: ResolvedTerm[];
  withHistory: boolean;
  marks: Marks;
  preferences: Preferences;
  views: ChannelViews;
}

/** No message is older than the caller's account, with one minute of tolerance for clocks. */
export const callersTime = ({ caller }: Pick<Sought, 'caller'>): number => caller.createdAtSeconds - 60;

/** A sieve that uses block summaries to skip messages. */
export function sieveOf(sought: Sought): Sieve {
  const { table, caller, terms, withHistory, marks, preferences, views } = sought;
  const { userId } = caller;
  let subscriptions: ReturnType<typeof listSubscriptions> | undefined;
  const keepTheirs = async (facts: MessageFacts[]): Promise<MessageFacts[]> => {
    subscriptions ??= listSubscriptions(table, userId);
    const byChannel = new Map(
      (await subscriptions).map((subscription) => [subscription.channelId, subscription]),
    );
    await loadMarks(
      table,
      userId,
      marks,
      facts.map(({ messageId }) => messageId),
    );
    return facts.filter((fact) => isTheirs(caller, fact, byChannel, marks));
  };
  return {
    lowest: async (from, to) =>
      withHistory ? from : findPositionSince(table, callersTime(sought), from, to),
    keep: async (facts) => {
      const kept = withHistory ? facts : await keepTheirs(facts);
      await loadChannelViews(table, userId, views, kept.flatMap(channelsOf));
      const known = subscriptionsIn(views);
      return kept.filter((message) => {
        const view = message.kind === 'channel' ? views.get(message.channelId) : undefined;
        const flags = withHistory ? {} : { isUnread: isUnread(caller, message, known, marks) };
        const context = { callerId: userId, view, preferences, ...flags };
        return mayRead(caller, message, view) && mayMatch(terms, message, context);
      });
    },
  };
}
