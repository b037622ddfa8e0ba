import { charactersOf } from '#web/net/emoji.ts';
import { type Emoji, toggleReaction } from '#web/net/message-actions.ts';
import { nameOfPerson, server } from '#web/net/store.ts';
import { Icon } from '#web/parts/icon.tsx';
import type { Message, Reaction } from '#web/state/wire-messages.ts';
import { t } from '#web/texts/texts.ts';
import { pickEmoji } from './pick-emoji.tsx';

interface Chip {
  emoji: Emoji;
  userIds: number[];
}

/** Names appear on chips while the message has at most this many reactions. */
const MOST_NAMED = 3;

/** Reactions to a message, in the order in which they first came. */
export function chipsOf(reactions: Reaction[]): Chip[] {
  const chips = new Map<string, Chip>();
  for (const { user_id, ...emoji } of reactions) {
    const key = `${emoji.reaction_type} ${emoji.emoji_code}`;
    const chip = chips.get(key) ?? { emoji, userIds: [] };
    chips.set(key, { ...chip, userIds: [...chip.userIds, user_id] });
  }
  return [...chips.values()];
}

export function Reactions({ message }: { message: Message }) {
  if (message.reactions.length === 0) return null;
  const { user_id: ownId, user_settings: settings } = server.value;
  const isNamed = settings.display_emoji_reaction_users && message.reactions.length <= MOST_NAMED;
  return (
    <div class="reactions">
      {chipsOf(message.reactions).map(({ emoji, userIds }) => {
        const isOwn = userIds.includes(ownId);
        const names = userIds
          .map((id) => (id === ownId ? t('feed.you') : nameOfPerson(id)))
          .join(t('common.comma'));
        return (
          <button
            type="button"
            key={`${emoji.reaction_type} ${emoji.emoji_code}`}
            class="reaction"
            aria-pressed={isOwn}
            aria-label={`${emoji.emoji_name}: ${names}`}
            title={t('feed.namesReactedWithEmojiName', { names, emojiName: emoji.emoji_name })}
            onClick={() => void toggleReaction(message, emoji)}
          >
            <EmojiSign emoji={emoji} />
            <span>{isNamed ? names : userIds.length}</span>
          </button>
        );
      })}
      <button
        type="button"
        class="reaction add"
        aria-label={t('feed.addAReaction')}
        onClick={(event) => pickEmoji(event.currentTarget, (emoji) => void toggleReaction(message, emoji))}
      >
        <Icon name="face-slightly-smiling-plus" />
      </button>
    </div>
  );
}

/** An emoji as it looks. */
export function EmojiSign({ emoji }: { emoji: Emoji }) {
  if (emoji.reaction_type === 'unicode_emoji')
    return (
      <span class="emoji-sign" aria-hidden="true">
        {charactersOf(emoji.emoji_code)}
      </span>
    );
  const source =
    emoji.reaction_type === 'realm_emoji'
      ? server.value.realm_emoji[emoji.emoji_code]?.source_url
      : '/static/generated/emoji/images/emoji/unicode/zulip.png';
  return <img class="emoji-sign" src={source} alt="" width={18} height={18} />;
}
