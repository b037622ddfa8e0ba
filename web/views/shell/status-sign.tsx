import { useServer } from '#web/net/store.ts';
import type { Reaction } from '#web/state/wire-messages.ts';
import { EmojiSign } from '#web/views/feed/reactions.tsx';

/** The emoji of a person's status, which follows the name; nothing without one. */
export function StatusSign({ userId }: { userId: number }) {
  const status = useServer(({ user_status }) => user_status[userId], [userId]);
  const { status_text: text, emoji_name, emoji_code, reaction_type } = status ?? {};
  if (!emoji_name || !emoji_code) return null;
  const type = (reaction_type ?? 'unicode_emoji') as Reaction['reaction_type'];
  return (
    <span class="status-sign" title={text} role="img" aria-label={text || emoji_name}>
      <EmojiSign emoji={{ emoji_name, emoji_code, reaction_type: type }} />
    </span>
  );
}
