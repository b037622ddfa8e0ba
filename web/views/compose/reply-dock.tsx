import { useComputed } from '@preact/signals';
import { linkTo, openNarrow } from '#web/net/router.ts';
import { cache, ownChannels, server } from '#web/net/store.ts';
import { Icon } from '#web/parts/icon.tsx';
import { conversationOfMessage, narrowOf } from '#web/state/narrow.ts';
import { t } from '#web/texts/texts.ts';
import { selectedId, shownId } from '../feed/selection.ts';
import { openNewMessage } from './new-message.tsx';
import { openComposerSoon } from './open-composer.ts';
import { whereTo } from './where-to.ts';

/** Below a feed of several conversations: answers that of the selected message, or else of the lowest one in sight. */
export function ReplyDock() {
  const message = useComputed(() => {
    const id = selectedId.value ?? shownId.value;
    return id === undefined ? undefined : cache.value.byId.get(id);
  }).value;
  if (!message) return null;
  const conversation = conversationOfMessage(message, server.value.user_id);
  const color =
    conversation.type === 'stream' ? ownChannels.value.get(conversation.channelId)?.color : undefined;
  return (
    <div class="dock reply-dock">
      <a
        class="compose-rest"
        href={linkTo(narrowOf(conversation), message.id)}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          openNarrow(narrowOf(conversation), message.id);
          openComposerSoon();
        }}
      >
        {conversation.type === 'stream' && <span class="swatch" style={{ '--c': color }} />}
        <span class="reply-place">{t('compose.replyTo', { conversation: whereTo(conversation) })}</span>
      </a>
      <button type="button" class="button" onClick={() => openNewMessage()}>
        <Icon name="pencil-line" />
        <span>{t('shell.newMessage')}</span>
      </button>
    </div>
  );
}
