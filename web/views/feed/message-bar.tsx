import { toggleReaction, toggleStar } from '#web/net/message-actions.ts';
import { IconButton } from '#web/parts/icon.tsx';
import type { Narrow } from '#web/state/narrow.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { t } from '#web/texts/texts.ts';
import { openMessageMenu, replyTo } from './message-menu.tsx';
import { pickEmoji } from './pick-emoji.tsx';

/** What can be done with a message; shown on hover and focus. */
export function MessageBar({ message, narrow }: { message: Message; narrow: Narrow }) {
  const isStarred = message.flags.includes('starred');
  return (
    <div class="message-bar" role="toolbar" aria-label={t('feed.messageActions')}>
      <IconButton
        icon="face-slightly-smiling-plus"
        label={t('feed.react')}
        onClick={(event) => pickEmoji(event.currentTarget, (emoji) => void toggleReaction(message, emoji))}
      />
      <IconButton icon="reply" label={t('feed.quoteAndReply')} onClick={() => void replyTo(message)} />
      <IconButton
        icon="star"
        label={isStarred ? t('feed.removeTheStar') : t('feed.star')}
        isPressed={isStarred}
        onClick={() => void toggleStar(message)}
      />
      <IconButton
        icon="ellipsis"
        label={t('feed.moreActions')}
        onClick={(event) => openMessageMenu(event.currentTarget, message, narrow)}
      />
    </div>
  );
}
