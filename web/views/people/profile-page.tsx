import { linkTo } from '#web/net/router.ts';
import { ownChannels, people, server, useServer } from '#web/net/store.ts';
import { Avatar } from '#web/parts/avatar.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { dateOf } from '#web/parts/time.ts';
import { channelNarrow, directNarrow } from '#web/state/narrow.ts';
import type { Person } from '#web/state/wire-people.ts';
import { t } from '#web/texts/texts.ts';
import { Head } from '#web/views/shell/head.tsx';
import { Missing } from '#web/views/shell/missing.tsx';
import { ROLES } from '#web/views/shell/person-card.tsx';
import { MuteButton, PresenceLine, StatusLine } from '#web/views/shell/seen.tsx';
import { ProfileValues } from './profile-values.tsx';

/** What others see of a person. */
export function ProfilePage({ rest }: { rest: string[] }) {
  const userId = Number(rest[0]);
  const person = people.value.get(userId);
  if (!person) return <Missing title={t('common.unknownPerson')} text={t('people.thisPersonIsNotKnown')} />;
  const shared = [...ownChannels.value.values()].filter(({ subscribers }) => subscribers?.includes(userId));
  const groups = server.value.realm_user_groups.filter(
    ({ members, is_system_group, deactivated }) =>
      !is_system_group && !deactivated && members.includes(userId),
  );
  return (
    <main class="main">
      <Head title={person.full_name} />
      <div class="page profile">
        <div class="card-head">
          <Avatar userId={userId} size={64} />
          <div>
            <h2>{person.full_name}</h2>
            <p class="quiet">
              {person.is_active
                ? person.is_bot
                  ? t('common.bot')
                  : ROLES[person.role]
                : t('common.deactivated')}
            </p>
            <StatusLine userId={userId} />
            <PresenceLine person={person} />
          </div>
        </div>
        <div class="button-line">
          <a class="button primary" href={linkTo(directNarrow([userId]))}>
            {userId === server.value.user_id ? t('common.notesToYourself') : t('people.writeAMessage')}
          </a>
          <EditLink person={person} />
          <MuteButton userId={userId} />
        </div>
        <dl class="facts">
          {person.delivery_email && <Line says={t('people.eMail')} value={person.delivery_email} />}
          {person.timezone && <Line says={t('people.timeZone')} value={person.timezone} />}
          <Line says={t('people.joined')} value={dateOf(Date.parse(person.date_joined) / 1000)} />
          <ProfileValues person={person} />
        </dl>
        {shared.length > 0 && (
          <List title={t('people.channelsInCommon')}>
            {shared.map(({ stream_id: id, name, color }) => (
              <li key={id}>
                <a class="row" href={linkTo(channelNarrow(id))}>
                  <span class="swatch" style={{ '--c': color }} />
                  {name}
                </a>
              </li>
            ))}
          </List>
        )}
        {groups.length > 0 && (
          <List title={t('common.groups')}>
            {groups.map(({ id, name }) => (
              <li key={id}>
                <a class="row" href={`#groups/${id}`}>
                  <Icon name="users" />
                  {name}
                </a>
              </li>
            ))}
          </List>
        )}
      </div>
    </main>
  );
}

/** A link to the settings in which the viewer edits this profile. */
function EditLink({ person }: { person: Person }) {
  const { user_id: id, is_bot: isBot } = person;
  const isAdmin = useServer(({ is_admin }) => is_admin);
  const isSelf = useServer(({ user_id }) => user_id === id, [id]);
  const mayEdit = useServer(({ realm_bots }) => realm_bots.some(({ user_id }) => user_id === id), [id]);
  if (!isSelf && !isAdmin && !mayEdit) return null;
  const address = isBot ? `#organization/bots/${id}` : `#organization/users/${id}`;
  return (
    <a class="button" href={isSelf ? '#settings/profile' : address}>
      {isSelf ? t('people.editYourProfile') : t('people.editTheAccount')}
    </a>
  );
}

function Line({ says, value }: { says: string; value: string }) {
  return (
    <div>
      <dt>{says}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function List({ title, children }: { title: string; children: preact.ComponentChildren }) {
  return (
    <section>
      <h2>{title}</h2>
      <ul class="plain-list">{children}</ul>
    </section>
  );
}
