import { groupSettingsOf, mayKnow } from '#shared/domain/channels/permissions.ts';
import { type EarlierText, historyOf, withoutChannels } from '#shared/domain/messages/editing/history.ts';
import type { HistoryEntry, Message } from '#shared/domain/messages/message.ts';
import type { OrganizationSettings } from '#shared/domain/organization/settings.ts';
import type { User } from '#shared/domain/users/user.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import { type ChannelViews, loadChannelViews } from '#shared/store/channels/channel-views.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { learnMemberships } from '#shared/store/user-groups/groups.ts';
import { messagePartitions, positionOfSortKey } from '#shared/table/keys/log.ts';
import type { Item, Table } from '#shared/table/table.ts';

type Policy = OrganizationSettings['message_edit_history_visibility_policy'];

/** A page loads at most this much earlier text; the rest of its messages come without it. */
const MAX_TEXT_BYTES = 1_000_000;

const hasChanged = (message: Message): boolean =>
  (message.keptEdits ?? 0) > 0 || (message.kind === 'channel' && message.moves !== undefined);

/**
 * Adds the edit history, as far as the organization shows it. Reads nothing for unchanged messages; otherwise
 * the organization, and the earlier texts of each message whose text changed.
 */
export async function withHistory<One extends Message>(
  table: Table,
  caller: User,
  messages: One[],
): Promise<One[]> {
  if (!messages.some(hasChanged)) return messages;
  const { settings } = await getOrganization(table);
  const policy = settings.message_edit_history_visibility_policy;
  if (policy === 'none') return messages;
  const histories = await listHistories(table, caller, messages.filter(hasChanged), policy);
  return messages.map((message) => {
    const history = histories.get(message.messageId);
    return history ? { ...message, history } : message;
  });
}

/** The histories of messages, newest change first, as the caller may see them. */
export async function listHistories(
  table: Table,
  caller: User,
  messages: Message[],
  policy: Exclude<Policy, 'none'>,
): Promise<Map<number, HistoryEntry[]>> {
  const texts = policy === 'all' ? await listTexts(table, messages) : new Map<number, EarlierText[]>();
  const histories = messages.map(
    (message) => [message.messageId, historyOf(message, texts.get(message.messageId) ?? [])] as const,
  );
  const isKnown = await learnChannels(
    table,
    caller,
    histories.flatMap(([, history]) => history),
  );
  return new Map(histories.map(([id, history]) => [id, withoutChannels(history, isKnown)]));
}

async function listTexts(table: Table, messages: Message[]): Promise<Map<number, EarlierText[]>> {
  const edited = messages.filter(({ keptEdits = 0 }) => keptEdits > 0);
  const lists = await mapConcurrently(edited, async ({ messageId }) => {
    const items = await table.list({ partition: messagePartitions.textsOf(messageId) });
    return [messageId, items.map(toEarlierText)] as const;
  });
  let bytes = 0;
  return new Map(
    lists.filter(([, texts]) => {
      for (const { content, html } of texts) bytes += content.length + html.length;
      return bytes <= MAX_TEXT_BYTES;
    }),
  );
}

const toEarlierText = ({ sk, userId, atSeconds, content, html }: Item): EarlierText =>
  ({ position: positionOfSortKey(String(sk)), userId, atSeconds, content, html }) as EarlierText;

/** The channels of a history that the caller may know of. */
async function learnChannels(
  table: Table,
  caller: User,
  history: HistoryEntry[],
): Promise<(channelId: number) => boolean> {
  const views: ChannelViews = new Map();
  const channelIds = history.flatMap(({ channel }) => (channel ? [channel.before, channel.after] : []));
  await loadChannelViews(table, caller.userId, views, channelIds);
  const settings = [...views.values()].flatMap(({ channel }) => groupSettingsOf(channel));
  await learnMemberships(table, caller, settings);
  return (channelId) => {
    const view = views.get(channelId);
    return view !== undefined && mayKnow(caller, view);
  };
}
