import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { toDraftRecord } from '#shared/domain/drafts/draft.ts';
import { subscriptionLine } from '#shared/domain/exports/lines.ts';
import type { ChannelTie } from '#shared/domain/exports/scope.ts';
import { type NavigationView, toViewRecord } from '#shared/domain/navigation-views/view.ts';
import { toSnippetRecord } from '#shared/domain/saved-snippets/snippet.ts';
import { toReminderRecord, toScheduledRecord } from '#shared/domain/scheduled-messages/scheduled-message.ts';
import { effectiveSettings } from '#shared/domain/settings/user-settings.ts';
import type { Subscription } from '#shared/domain/subscriptions/subscription.ts';
import type { TopicPreference } from '#shared/domain/topics/preference.ts';
import { toTopicRecord } from '#shared/domain/topics/record.ts';
import type { User } from '#shared/domain/users/user.ts';
import { listDrafts } from '#shared/store/drafts.ts';
import { toMarkedIds } from '#shared/store/reading/read-state.ts';
import { snippetsAmong } from '#shared/store/saved-snippets.ts';
import { listScheduledOf } from '#shared/store/scheduled-messages.ts';
import { unpackStorage } from '#shared/store/users/bot-storage.ts';
import { botKeys } from '#shared/table/keys/bots.ts';
import { channelKeys, channelPrefixes } from '#shared/table/keys/channels.ts';
import { userKeys, userPartitions, userPrefixes } from '#shared/table/keys/users.ts';
import { type Item, recordOf, type Table } from '#shared/table/table.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** The private data of one user. Ten thousand of them are kept in memory until they are final. */
export interface Person {
  ties: ChannelTie[];
  compressedLines: Buffer;
}

/** Reads a user's private data, without passwords, keys and devices. */
export async function readPerson(table: Table, user: User): Promise<Person> {
  const { userId } = user;
  const [items, drafts, scheduled] = await Promise.all([
    table.list({ partition: userPartitions.user(userId), consistent: true }),
    listDrafts(table, userId),
    listScheduledOf(table, userId),
  ]);
  const subscriptions = withPrefix(items, channelPrefixes.subscription).map((item) =>
    recordOf<Subscription>(item),
  );
  const line = (kind: string) => (value: unknown) => `${JSON.stringify({ user_id: userId, kind, value })}\n`;
  const lines = [
    line('settings')(settingsOf(user, items)),
    line('read_state')(toMarkedIds(withPrefix(items, userPrefixes.marks))),
    ...subscriptions.map(subscriptionLine).map(line('subscription')),
    ...topicPreferencesOf(userId, items).map(toTopicRecord).map(line('topic_preference')),
    ...listOf(items, userKeys.mutedUsers(userId).sk, 'mutedUsers').map(line('muted_user')),
    ...listOf(items, userKeys.alertWords(userId).sk, 'words')
      .map(({ word }) => word)
      .map(line('alert_word')),
    ...viewsOf(userId, items).map(toViewRecord).map(line('navigation_view')),
    ...flaggedOf(items, userPrefixes.starred).map(line('starred_message')),
    ...flaggedOf(items, userPrefixes.collapsed).map(line('collapsed_message')),
    ...flaggedOf(items, userPrefixes.hide_link_previews).map(line('message_without_previews')),
    ...drafts.map(toDraftRecord).map(line('draft')),
    ...snippetsAmong(items, userId).map(toSnippetRecord).map(line('saved_snippet')),
    ...storageOf(userId, items).map(line('bot_storage')),
    ...scheduled.messages.map(toScheduledRecord).map(line('scheduled_message')),
    ...scheduled.reminders.map(toReminderRecord).map(line('reminder')),
  ];
  return {
    ties: subscriptions.map(({ channelId, intervals }) => ({ channelId, intervals })),
    compressedLines: await compress(lines.join(''), { level: 1 }),
  };
}

export const linesOf = async ({ compressedLines }: Person): Promise<string> =>
  (await decompress(compressedLines)).toString('utf8');

const withPrefix = (items: Item[], prefix: string): Item[] =>
  items.filter(({ sk }) => String(sk).startsWith(prefix));

const listOf = <Entry = Item>(items: Item[], sortKey: string, attribute: string): Entry[] =>
  (items.find(({ sk }) => sk === sortKey)?.[attribute] ?? []) as Entry[];

function settingsOf(user: User, items: Item[]) {
  const chosen = items.find(({ sk }) => sk === userKeys.settings(user.userId).sk);
  return effectiveSettings(user, { values: chosen?.values ?? {}, revision: 0 });
}

const topicPreferencesOf = (userId: number, items: Item[]): TopicPreference[] =>
  withPrefix(items, channelPrefixes.topicPreference)
    .filter(({ sk }) => sk !== channelKeys.topicPreferenceRevision(userId).sk)
    .map((item) => recordOf<TopicPreference>(item));

const storageOf = (userId: number, items: Item[]) =>
  [...unpackStorage(items.find(({ sk }) => sk === botKeys.storage(userId).sk))].map(([key, value]) => ({
    key,
    value,
  }));

const viewsOf = (userId: number, items: Item[]): NavigationView[] =>
  listOf<NavigationView>(items, userKeys.navigationViews(userId).sk, 'views');

const flaggedOf = (items: Item[], prefix: string): number[] =>
  withPrefix(items, prefix)
    .flatMap(({ ids }) => [...(ids as Set<number>)])
    .sort((a, b) => a - b);
