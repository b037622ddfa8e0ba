import { toggleReaction, toggleStar } from '#web/net/message-actions.ts';
import { IconButton } from '#web/parts/icon.tsx';
import type { Narrow } from '#web/state/narrow.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { openMessageMenu, replyTo } from './message-menu.tsx';
import { pickEmoji } from './pick-emoji.tsx';

/** What can be done with a message; shown on hover and focus. */
export function MessageBar({ message, narrow }: { message: Message; narrow: Narrow }) {
  const isStarred = message.flags.includes('starred');
  return (
    <div class="message-bar" role="toolbar" aria-label="Message actions">
      <IconButton
        icon="face-slightly-smiling-plus"
        label="React"
        onClick={(event) => pickEmoji(event.currentTarget, (emoji) => void toggleReaction(message, emoji))}
      />
      <IconButton icon="reply" label="Quote and reply" onClick={() => void replyTo(message)} />
      <IconButton
        icon="star"
        label={isStarred ? 'Remove the star' : 'Star'}
        isPressed={isStarred}
        onClick={() => void toggleStar(message)}
      />
      <IconButton
        icon="ellipsis"
        label="More actions"
        onClick={(event) => openMessageMenu(event.currentTarget, message, narrow)}
      />
    </div>
  );
}
