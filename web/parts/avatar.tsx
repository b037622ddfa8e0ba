import { people } from '#web/net/store.ts';
import { isStandIn } from '#web/state/people.ts';
import { Icon } from './icon.tsx';

/** The picture of a person; without one, the first letters of the name on a colour of their own, or the sign of bots. */
export function Avatar({ userId, size = 36 }: { userId: number; size?: 20 | 28 | 36 | 64 }) {
  const person = people.value.get(userId);
  const name = person?.full_name ?? '?';
  if (person?.avatar_url && !isStandIn(person.avatar_url))
    return (
      <img
        class="avatar"
        src={person.avatar_url}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        decoding="async"
      />
    );
  return (
    <span
      class={person?.is_bot ? 'avatar of-bot' : 'avatar'}
      data-size={size}
      style={{ '--h': (userId % 10) * 36 + 12 }}
      aria-hidden="true"
    >
      {person?.is_bot ? <Icon name="bot" size={size > 28 ? 20 : 16} /> : initials(name)}
    </span>
  );
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const first = words[0]?.at(0) ?? '?';
  const last = words.length > 1 ? (words.at(-1)?.at(0) ?? '') : '';
  return `${first}${last}`.toUpperCase();
}
