import { openNarrow } from '#web/net/router.ts';
import { people, server } from '#web/net/store.ts';
import { Avatar } from '#web/parts/avatar.tsx';
import { closeLayer, openLayer } from '#web/parts/layer.tsx';
import { directNarrow } from '#web/state/narrow.ts';
import { ProfileValues } from '#web/views/people/profile-values.tsx';
import { MuteButton, PresenceLine, StatusLine } from './seen.tsx';
import { openStatus } from './status-dialog.tsx';

export const ROLES: Record<number, string> = {
  100: 'Owner',
  200: 'Administrator',
  300: 'Moderator',
  400: 'Member',
  600: 'Guest',
};

/** A card with what others see of a person. */
export const openCard = (anchor: Element, userId: number): void =>
  openLayer(anchor, 'Person', () => <Card userId={userId} />);

function Card({ userId }: { userId: number }) {
  const person = people.value.get(userId);
  if (!person) return <p class="card">This person is not known here.</p>;
  const { full_name: name, role, delivery_email: email, is_bot: isBot, is_active: isActive } = person;
  return (
    <div class="card">
      <div class="card-head">
        <Avatar userId={userId} size={64} />
        <div>
          <strong>{name}</strong>
          <p class="quiet">{isActive ? (isBot ? 'Bot' : ROLES[role]) : 'Deactivated'}</p>
          <StatusLine userId={userId} />
        </div>
      </div>
      <PresenceLine person={person} />
      {email && (
        <p class="card-line">
          <a href={`mailto:${email}`}>{email}</a>
        </p>
      )}
      <dl class="card-values">
        <ProfileValues person={person} isSummary />
      </dl>
      <div class="card-foot">
        <button
          type="button"
          class="button primary"
          onClick={() => {
            closeLayer();
            openNarrow(directNarrow([userId]));
          }}
        >
          {userId === server.value.user_id ? 'Notes to yourself' : 'Message'}
        </button>
        {userId === server.value.user_id && (
          <button
            type="button"
            class="button"
            onClick={() => {
              closeLayer();
              openStatus();
            }}
          >
            Set status
          </button>
        )}
        <a class="button" href={`#user/${userId}`} onClick={closeLayer}>
          Profile
        </a>
        <MuteButton userId={userId} />
      </div>
    </div>
  );
}
