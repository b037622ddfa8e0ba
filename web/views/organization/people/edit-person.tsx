import { saveValueOf } from '#web/net/organization/profile-fields.ts';
import { editPerson, ROLES, reactivate, setRole } from '#web/net/organization/roster.ts';
import { people, showNotice, useServer } from '#web/net/store.ts';
import { Avatar } from '#web/parts/avatar.tsx';
import { Empty } from '#web/parts/empty.tsx';
import { Ending } from '#web/parts/ending.tsx';
import { Choice, TextSetting } from '#web/parts/form.tsx';
import { Group } from '#web/parts/sections.tsx';
import { t } from '#web/texts/texts.ts';
import { ProfileInputs } from '#web/views/people/profile-inputs.tsx';
import { askToDeactivate } from './deactivate-person.tsx';

/** One person as administrators arrange the account: name, role and whether it is active. */
export function EditPerson({ userId }: { userId: number }) {
  const isAdmin = useServer(({ is_admin }) => is_admin);
  const isOwner = useServer(({ is_owner }) => is_owner);
  const hasFields = useServer(({ custom_profile_fields }) => custom_profile_fields.length > 0);
  const isSelf = useServer(({ user_id }) => user_id === userId, [userId]);
  const person = people.value.get(userId);
  if (!person || person.is_bot)
    return (
      <Empty icon="user" title={t('organization.thereIsNoSuchPerson')}>
        <a class="button" href="#organization/users">
          {t('organization.seeAllPeople')}
        </a>
      </Empty>
    );
  const { full_name: name, delivery_email: mail, email, role, is_active: isActive } = person;
  const mayChange = isAdmin && (isOwner || !person.is_owner);
  const note = isAdmin
    ? t('organization.onlyOwnersCanChangeAn')
    : t('organization.administratorsCanChangeThis');
  return (
    <>
      <Group title={t('organization.account')} {...(!mayChange && { note })}>
        <div class="person-line">
          <Avatar userId={userId} size={64} />
          <div class="line-text">
            <a href={`#user/${userId}`}>{name}</a>
            <span class="quiet">{mail ?? email}</span>
          </div>
        </div>
        <TextSetting
          label={t('common.name')}
          value={name}
          isFixed={!isAdmin}
          save={(full_name) => editPerson(userId, { full_name })}
        />
        <Choice
          label={t('organization.role')}
          {...(mayChange && isSelf && { hint: t('organization.thisIsYourOwnRole') })}
          value={role}
          choices={ROLES.filter(([choice]) => isOwner || choice !== 100 || role === 100)}
          isFixed={!mayChange || !isActive}
          save={(next) => setRole(person, next)}
        />
      </Group>
      {hasFields && (
        <Group title={t('common.profile')}>
          <ProfileInputs person={person} save={(id, value) => saveValueOf(userId, id, value)} />
        </Group>
      )}
      {mayChange && !isSelf && (
        <Ending
          hasEnded={!isActive}
          note={t('organization.aDeactivatedAccountIsSigned')}
          end={{
            title: t('common.deactivate'),
            label: t('organization.deactivateTheAccount'),
            run: () => askToDeactivate(person),
          }}
          bringBack={{
            title: t('organization.thisAccountIsDeactivated'),
            label: t('organization.reactivateTheAccount'),
            run: async () => {
              if (await reactivate(person)) showNotice(t('organization.nameCanSignInAgain', { name }));
            },
          }}
        />
      )}
    </>
  );
}
