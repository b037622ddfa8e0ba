import { activityOf, clock } from '#web/net/presence.ts';
import { useServer } from '#web/net/store.ts';
import { Avatar } from '#web/parts/avatar.tsx';
import { t } from '#web/texts/texts.ts';

const ACTIVITY = {
  active: t('shell.active'),
  idle: t('shell.idle'),
  offline: t('shell.offline'),
};

/** Whether a person is here, as a dot. */
export function PresenceDot({ userId }: { userId: number }) {
  const nowMs = clock.value;
  const activity = useServer((snapshot) => activityOf(snapshot, userId, nowMs), [userId, nowMs]);
  return <span class="presence" data-activity={activity} role="img" aria-label={ACTIVITY[activity]} />;
}

/** A small picture of a person with the dot at its corner. */
export const Face = ({ userId }: { userId: number }) => (
  <span class="face">
    <Avatar userId={userId} size={20} />
    <PresenceDot userId={userId} />
  </span>
);
