import { saveValueOf } from '#web/net/organization/profile-fields.ts';
import { editPerson, ROLES, reactivate, setRole } from '#web/net/organization/roster.ts';
import { people, tell, useServer } from '#web/net/store.ts';
import { Avatar } from '#web/parts/avatar.tsx';
import { Empty } from '#web/parts/empty.tsx';
import { Ending } from '#web/parts/ending.tsx';
import { Choice, TextSetting } from '#web/parts/form.tsx';
import { Group } from '#web/parts/sections.tsx';
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
      <Empty icon="user" title="There is no such person">
        <a class="button" href="#organization/users">
          See all people
        </a>
      </Empty>
    );
  const { full_name: name, delivery_email: mail, email, role, is_active: isActive } = person;
  const mayChange = isAdmin && (isOwner || !person.is_owner);
  const note = isAdmin ? 'Only owners can change an owner.' : 'Administrators can change this.';
  return (
    <>
      <Group title="Account" {...(!mayChange && { note })}>
        <div class="person-line">
          <Avatar userId={userId} size={64} />
          <div class="line-text">
            <a href={`#user/${userId}`}>{name}</a>
            <span class="quiet">{mail ?? email}</span>
          </div>
        </div>
        <TextSetting
          label="Name"
          value={name}
          isFixed={!isAdmin}
          save={(full_name) => editPerson(userId, { full_name })}
        />
        <Choice
          label="Role"
          {...(mayChange && isSelf && { hint: 'This is your own role.' })}
          value={role}
          choices={ROLES.filter(([one]) => isOwner || one !== 100 || role === 100)}
          isFixed={!mayChange || !isActive}
          save={(next) => setRole(person, next)}
        />
      </Group>
      {hasFields && (
        <Group title="Profile">
          <ProfileInputs person={person} save={(id, value) => saveValueOf(userId, id, value)} />
        </Group>
      )}
      {mayChange && !isSelf && (
        <Ending
          hasEnded={!isActive}
          note="A deactivated account is signed out everywhere and cannot sign in. Its messages stay."
          end={{
            title: 'Deactivate',
            label: 'Deactivate the account…',
            run: () => askToDeactivate(person),
          }}
          bringBack={{
            title: 'This account is deactivated',
            label: 'Reactivate the account',
            run: async () => {
              if (await reactivate(person)) tell(`${name} can sign in again.`);
            },
          }}
        />
      )}
    </>
  );
}
