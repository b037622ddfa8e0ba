import { explain } from '#web/net/api.ts';
import {
  addressOf,
  copyText,
  deleteMessage,
  quoteOf,
  sourceOf,
  togglePreviews,
  toggleStar,
} from '#web/net/message-actions.ts';
import { shownNarrow } from '#web/net/pages.ts';
import { markNarrow } from '#web/net/reading.ts';
import { openNarrow } from '#web/net/router.ts';
import { serviceNowMs } from '#web/net/service-clock.ts';
import { cache, names, people, server, showNotice } from '#web/net/store.ts';
import { confirm } from '#web/parts/dialog.tsx';
import { type MenuItems, openMenu } from '#web/parts/layer.tsx';
import { isInGroup } from '#web/state/groups.ts';
import { conversationOfMessage, keyOfNarrow, type Narrow, narrowOf } from '#web/state/narrow.ts';
import { isOnlyName, mentionText } from '#web/state/references.ts';
import { labelOfKey } from '#web/state/shortcuts.ts';
import type { Message } from '#web/state/wire-messages.ts';
import type { GroupValue } from '#web/state/wire-people.ts';
import { t } from '#web/texts/texts.ts';
import { putText } from '#web/views/compose/hosts.ts';
import { openSwitcher } from '#web/views/shell/switcher.tsx';
import { selectionFrom } from './copying.ts';
import { openHistory, openReaders, openReminder, openReport, openSource } from './message-dialogs.tsx';
import { openMove } from './move-form.tsx';
import { pauseReading } from './reading.ts';
import { editingId } from './selection.ts';

const isIn = (value: GroupValue): boolean =>
  isInGroup(server.value.realm_user_groups, server.value.user_id, value);

const isWithin = (timestamp: number, limitSeconds: number | null): boolean =>
  limitSeconds === null || serviceNowMs() / 1000 < timestamp + limitSeconds;

/** Whether the viewer may change the text; the service has the last word. */
export function mayEdit(message: Message): boolean {
  const { user_id: ownId, realm_allow_message_editing: isAllowed } = server.value;
  const limit = server.value.realm_message_content_edit_limit_seconds;
  return (
    message.sender_id === ownId &&
    isAllowed &&
    isWithin(message.timestamp, limit) &&
    message.submessages.length === 0
  );
}

export function mayDelete(message: Message): boolean {
  const { user_id: ownId, realm_message_content_delete_limit_seconds: limit } = server.value;
  if (isIn(server.value.realm_can_delete_any_message_group)) return true;
  return (
    message.sender_id === ownId &&
    isIn(server.value.realm_can_delete_own_message_group) &&
    isWithin(message.timestamp, limit)
  );
}

/** Quotes a message, or the selection that begins, ends or lies in it, in the composer of its conversation. */
export async function replyTo(message: Message): Promise<void> {
  try {
    const narrow = shownNarrow();
    const ids = (narrow && cache.value.runs.get(keyOfNarrow(narrow))?.ids) ?? [];
    const quotes = selectionFrom(message.id, ids).map(({ id, text }) =>
      quoteOf(cache.value.byId.get(id) ?? message, text),
    );
    const quote = (await Promise.all(quotes)).join('\n');
    const conversation = conversationOfMessage(message, server.value.user_id);
    openNarrow(narrowOf(conversation));
    putText(conversation, quote);
    requestAnimationFrame(() => document.getElementById('compose-text')?.focus());
  } catch (failure) {
    showNotice(t('feed.notQuotedReason', { reason: explain(failure) }));
  }
}

/** The mention of a person; people with the same name are distinguished by their id. */
export function mentionOf(userId: number): string {
  const name = names.person(userId) ?? '';
  const isUnique = isOnlyName(name, [...people.value.values()]);
  return `${mentionText({ name, id: userId, isUnique })} `;
}

/** Lets the viewer choose a conversation, and quotes a message in its composer. */
export async function forward(message: Message): Promise<void> {
  try {
    const quote = await quoteOf(message);
    openSwitcher({ only: 'conversations', title: t('feed.forwardMessage') }, (conversation) => {
      putText(conversation, quote);
      requestAnimationFrame(() => document.getElementById('compose-text')?.focus());
    });
  } catch (failure) {
    showNotice(t('feed.notForwardedReason', { reason: explain(failure) }));
  }
}

export const askToDelete = (message: Message): void =>
  confirm(
    t('feed.deleteTheMessage'),
    t('feed.itDisappearsForEveryoneAnd'),
    t('common.delete'),
    () => void deleteMessage(message),
  );

export function unreadFrom(message: Message, narrow: Narrow): void {
  pauseReading(narrow);
  void markNarrow(narrow, 'remove', message.id);
}

const hasHistory = ({ last_edit_timestamp: edited, last_moved_timestamp: moved }: Message): boolean =>
  server.value.realm_allow_edit_history && (edited !== undefined || moved !== undefined);

/** Whether the message has previews of external links, and not only files of the service. */
const hasPreviews = ({ content }: Message): boolean =>
  /<div class="(?:message_embed|(?:\w+-video )?message_inline_image)"/.test(content);

export const openMessageMenu = (anchor: Element, message: Message, narrow: Narrow): void =>
  openMenu(anchor, t('common.message'), messageItems(message, narrow));

/** Everything that can be done with a message. */
export function messageItems(message: Message, narrow: Narrow): MenuItems {
  const conversation = narrowOf(conversationOfMessage(message, server.value.user_id));
  const isElsewhere = keyOfNarrow(conversation) !== keyOfNarrow(narrow);
  const isStarred = message.flags.includes('starred');
  return [
    mayEdit(message) && {
      icon: 'pencil',
      label: t('feed.edit'),
      hint: 'e',
      run: () => {
        editingId.value = message.id;
      },
    },
    !mayEdit(message) && {
      icon: 'file',
      label: t('feed.showTheText'),
      hint: 'e',
      run: () => openSource(message),
    },
    { icon: 'quote', label: t('feed.quoteAndReply'), hint: '>', run: () => void replyTo(message) },
    { icon: 'share', label: t('feed.forward'), hint: '<', run: () => void forward(message) },
    isElsewhere && {
      icon: 'message-square',
      label: t('feed.openTheConversation'),
      hint: 'z',
      run: () => openNarrow(conversation, message.id),
    },
    {
      icon: 'star',
      label: isStarred ? t('feed.removeTheStar') : t('feed.star'),
      hint: labelOfKey('Ctrl+s'),
      run: () => void toggleStar(message),
    },
    hasPreviews(message) && {
      icon: message.flags.includes('hide_link_previews') ? 'eye' : 'eye-off',
      label: message.flags.includes('hide_link_previews') ? t('feed.showPreviews') : t('feed.hidePreviews'),
      run: () => void togglePreviews(message),
    },
    {
      icon: 'link',
      label: t('common.copyLink'),
      run: () => void copyText(addressOf(message), t('feed.theLinkIsCopied')),
    },
    { icon: 'copy', label: t('feed.copyText'), run: () => void copySource(message) },
    {
      icon: 'inbox',
      label: t('feed.markAsUnreadFromHere'),
      hint: 'U',
      run: () => unreadFrom(message, narrow),
    },
    { icon: 'bell', label: t('feed.remindMe'), run: () => openReminder(message) },
    message.type === 'stream' && {
      icon: 'move-right',
      label: t('feed.move'),
      hint: 'm',
      run: () => openMove(message),
    },
    { icon: 'eye', label: t('feed.whoHasReadIt'), hint: 'V', run: () => openReaders(message) },
    hasHistory(message) && {
      icon: 'rotate-ccw',
      label: t('feed.history'),
      hint: 'H',
      run: () => openHistory(message),
    },
    message.sender_id !== server.value.user_id && {
      icon: 'flag',
      label: t('feed.report'),
      run: () => openReport(message),
    },
    mayDelete(message) && {
      icon: 'trash',
      label: t('common.delete'),
      hint: labelOfKey('Delete'),
      isDangerous: true,
      run: () => askToDelete(message),
    },
  ];
}

async function copySource(message: Message): Promise<void> {
  try {
    await copyText(await sourceOf(message.id), t('feed.theTextIsCopied'));
  } catch (failure) {
    showNotice(t('feed.notCopiedReason', { reason: explain(failure) }));
  }
}
