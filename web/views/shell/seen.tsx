import { mutePerson, unmutePerson } from '#web/net/own-settings.ts';
import { activityOf, clock } from '#web/net/presence.ts';
import { nameOfPerson, showNotice, useServer } from '#web/net/store.ts';
import { agoOf, clockIn } from '#web/parts/time.ts';
import type { Reaction } from '#web/state/wire-messages.ts';
import type { Person } from '#web/state/wire-people.ts';
import { t } from '#web/texts/texts.ts';
import { EmojiSign } from '#web/views/feed/reactions.tsx';
import { PresenceDot } from './face.tsx';

/** A person's status text, with its emoji. */
export function StatusLine({ userId }: { userId: number }) {
  const status = useServer(({ user_status }) => user_status[userId], [userId]);
  const { status_text: text, emoji_name, emoji_code, reaction_type } = status ?? {};
  if (!text && !emoji_name) return null;
  return (
    <p class="status-line">
      {emoji_name && emoji_code && reaction_type && (
        <EmojiSign
          emoji={{ emoji_name, emoji_code, reaction_type: reaction_type as Reaction['reaction_type'] }}
        />
      )}
      {text}
    </p>
  );
}

/** Whether a person is here or when they last were, and what their clock shows. */
export function PresenceLine({ person: { user_id: userId, timezone, is_bot: isBot } }: { person: Person }) {
  const nowMs = clock.value;
  const activity = useServer((snapshot) => activityOf(snapshot, userId, nowMs), [userId, nowMs]);
  const lastSeconds = useServer(({ presences }) => presences[userId]?.active_timestamp, [userId]);
  const time = timezone === '' ? undefined : clockIn(timezone, nowMs);
  if (isBot) return null;
  return (
    <p class="card-line">
      <PresenceDot userId={userId} />
      {activity === 'active' && t('shell.hereNow')}
      {activity === 'idle' && t('shell.awayFromTheScreen')}
      {activity === 'offline' &&
        (lastSeconds ? t('shell.lastHereAgo', { ago: agoOf(lastSeconds, nowMs) }) : t('shell.notHere'))}
      {time && ` ${t('shell.timeForThem', { time })}`}
    </p>
  );
}

/** Hides the messages of a person, or shows them again; nothing for the viewer. */
export function MuteButton({ userId }: { userId: number }) {
  const isSelf = useServer(({ user_id }) => user_id === userId, [userId]);
  const isMuted = useServer(({ muted_users }) => muted_users.some(({ id }) => id === userId), [userId]);
  if (isSelf) return null;
  const mute = async (): Promise<void> => {
    if (await mutePerson(userId))
      showNotice(t('shell.nameIsMuted', { name: nameOfPerson(userId) }), {
        label: t('common.undo'),
        run: () => void unmutePerson(userId),
      });
  };
  return (
    <button type="button" class="button" onClick={() => void (isMuted ? unmutePerson(userId) : mute())}>
      {isMuted ? t('shell.unmute') : t('shell.mute')}
    </button>
  );
}
