import { textsFor } from '#shared/actions/texts/texts-for.ts';
import { asShown, type ChannelView, mayRead } from '#shared/domain/messages/access.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { describeLostMessage, describeReminder, noteOf } from '#shared/domain/scheduled-messages/reminder.ts';
import type { Reminder } from '#shared/domain/scheduled-messages/scheduled-message.ts';
import type { User } from '#shared/domain/users/user.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listViewsById } from '#shared/store/channels/channels.ts';
import { listMessagesById } from '#shared/store/messages/messages.ts';
import { loadKnown } from '#shared/store/messages/references.ts';
import { renderContent } from '#shared/store/messages/rendering.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { asShownToCaller } from '#shared/store/users/identities.ts';

/** The texts of reminders, in order, by what their owner may read now. */
export async function presentContentsOf(
  { table }: Services,
  user: User,
  reminders: Reminder[],
): Promise<string[]> {
  if (reminders.length === 0) return [];
  const [organization, say] = await Promise.all([getOrganization(table), textsFor({ table }, user.userId)]);
  const messages = await listMessagesById(
    table,
    reminders.map(({ reminderOf }) => reminderOf),
  );
  const views = await loadViews({ table }, user, messages);
  const readable = messages.filter((message) => mayRead(user, message, viewIn(views, message)));
  const shown = readable.map((message) => asShown(message, viewIn(views, message)));
  const byId = new Map(
    (await asShownToCaller(table, user, shown)).map((message) => [message.messageId, message]),
  );
  return reminders.map((reminder) => {
    const message = byId.get(reminder.reminderOf);
    const note = noteOf(reminder);
    return message ? describeReminder(organization, message, note, say) : describeLostMessage(note, say);
  });
}

/** Reminders with their present texts; a text is rendered again only if it has changed. */
export async function withPresentContents(
  services: Services,
  user: User,
  reminders: Reminder[],
): Promise<Reminder[]> {
  const contents = await presentContentsOf(services, user, reminders);
  const present = reminders.map((reminder, n) => ({ reminder, content: contents[n] ?? '' }));
  return mapConcurrently(present, async ({ reminder, content }) => {
    if (content === reminder.content) return reminder;
    const known = await loadKnown(services.table, user, content);
    return { ...reminder, content, html: (await renderContent(content, known)).html };
  });
}

type Views = Map<number, ChannelView>;

async function loadViews(
  { table }: Pick<Services, 'table'>,
  user: User,
  messages: Message[],
): Promise<Views> {
  const ids = messages.flatMap((message) => (message.kind === 'channel' ? [message.channelId] : []));
  const views = await listViewsById(table, user, [...new Set(ids)]);
  return new Map(views.map((view) => [view.channel.channelId, view]));
}

const viewIn = (views: Views, message: Message): ChannelView | undefined =>
  message.kind === 'channel' ? views.get(message.channelId) : undefined;
