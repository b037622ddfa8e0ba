import { openNarrow } from '#web/net/router.ts';
import { people, server } from '#web/net/store.ts';
import { Avatar } from '#web/parts/avatar.tsx';
import { closeLayer, openLayer } from '#web/parts/layer.tsx';
import { directNarrow } from '#web/state/narrow.ts';
import { t } from '#web/texts/texts.ts';
import { ProfileValues } from '#web/views/people/profile-values.tsx';
import { MuteButton, PresenceLine, StatusLine } from './seen.tsx';
import { openStatus } from './status-dialog.tsx';

export const ROLES: Record<number, string> = {
  100: t('common.owner'),
  200: t('shell.administrator'),
  300: t('shell.moderator'),
  400: t('shell.member'),
  600: t('shell.guest'),
};

/** A card with what others see of a person. */
export const openCard = (anchor: Element, userId: number): void =>
  openLayer(anchor, t('shell.person'), () => <Card userId={userId} />);

function Card({ userId }: { userId: number }) {
  const person = people.value.get(userId);
  if (!person) return <p class="card">{t('shell.thisPersonIsNotKnown')}</p>;
  const { full_name: name, role, delivery_email: email, is_bot: isBot, is_active: isActive } = person;
  return (
    <div class="card">
      <div class="card-head">
        <Avatar userId={userId} size={64} />
        <div>
          <strong>{name}</strong>
          <p class="quiet">{isActive ? (isBot ? t('common.bot') : ROLES[role]) : t('common.deactivated')}</p>
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
          {userId === server.value.user_id ? t('common.notesToYourself') : t('common.message')}
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
            {t('shell.setStatus')}
          </button>
        )}
        <a class="button" href={`#user/${userId}`} onClick={closeLayer}>
          {t('common.profile')}
        </a>
        <MuteButton userId={userId} />
      </div>
    </div>
  );
}
