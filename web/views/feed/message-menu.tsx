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
import { mayDelete, mayEdit, mayMove } from '#web/net/rights.ts';
import { openNarrow } from '#web/net/router.ts';
import { cache, names, people, server, showNotice } from '#web/net/store.ts';
import { confirm } from '#web/parts/dialog.tsx';
import { type MenuItems, openMenu } from '#web/parts/layer.tsx';
import { conversationOfMessage, keyOfNarrow, type Narrow, narrowOf } from '#web/state/narrow.ts';
import { isOnlyName, mentionText } from '#web/state/references.ts';
import { labelOfKey } from '#web/state/shortcuts.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { t } from '#web/texts/texts.ts';
import { putText } from '#web/views/compose/hosts.ts';
import { openSwitcher } from '#web/views/shell/switcher.tsx';
import { selectionFrom } from './copying.ts';
import { openHistory, openReaders, openReminder, openReport, openSource } from './message-dialogs.tsx';
import { openMove } from './move-form.tsx';
import { pauseReading } from './reading.ts';
import { editingId } from './selection.ts';

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
    mayMove(message) && {
      icon: 'move-right',
      label: t('feed.move'),
      hint: 'm',
      run: () => openMove(message),
    },
    server.value.realm_enable_read_receipts && {
      icon: 'eye',
      label: t('feed.whoHasReadIt'),
      hint: 'V',
      run: () => openReaders(message),
    },
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
